#!/usr/bin/env bash
# build.sh PREFIX OUTPUT: builds main.cpp against an installed ourc.
set -euo pipefail
prefix=$1 output=$2
here=$(cd "$(dirname "$0")" && pwd)
exec clang++-22 -std=c++17 -fno-rtti -fno-exceptions -O1 \
  -I "$prefix/include" -isystem /usr/lib/llvm-22/include "$here/main.cpp" -o "$output" \
  -fuse-ld=lld -B/usr/lib/llvm-22/bin \
  -L "$prefix/lib" -lOurc -L /usr/lib/llvm-22/lib -lMLIR -lLLVM-22 \
  -Wl,-rpath,"$prefix/lib" -Wl,-rpath,/usr/lib/llvm-22/lib
