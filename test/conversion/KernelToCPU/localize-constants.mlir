// RUN: ourc-opt -ourc-localize-constants=target=cpu:x86-64-v3 %s | FileCheck %s
// RUN: not ourc-opt -ourc-localize-constants=target=cpu:none %s 2>&1 | FileCheck %s -check-prefix=TARGET

// TARGET: error: target 'cpu:none' names an unknown x86-64 CPU 'none'

// Eight of 16 registers hold sums in the inner loop: the constant is made anew on
// either side of it, by what cannot be moved out of the outer loop. Zero stays.

// CHECK-LABEL: func.func @full
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK:       scf.for
// CHECK:         %[[S:.*]] = arith.constant 5.000000e-01 : f32
// CHECK:         %[[H:.*]] = llvm.inline_asm has_side_effects "", "=x,0" %[[S]] : (f32) -> f32
// CHECK:         %[[B:.*]] = vector.broadcast %[[H]] : f32 to vector<8xf32>
// CHECK:         arith.mulf %{{.*}}, %[[B]]
// CHECK:         %[[SUMS:.*]]:8 = scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]]
// CHECK:         %[[H2:.*]] = llvm.inline_asm
// CHECK:         %[[B2:.*]] = vector.broadcast %[[H2]]
// CHECK:         arith.mulf %[[SUMS]]#0, %[[B2]]
// CHECK:         arith.mulf %[[SUMS]]#1, %[[B2]]
func.func @full(%p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %half = arith.constant dense<0.5> : vector<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = llvm.load %p : !llvm.ptr -> vector<8xf32>
    %y = arith.mulf %x, %half : vector<8xf32>
    %sums:8 = scf.for %k = %c0 to %n step %c1
        iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero,
                  %e = %zero, %f = %zero, %g = %zero, %h = %zero)
        -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>,
            vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
      %next = arith.addf %a, %y : vector<8xf32>
      scf.yield %next, %b, %c, %d, %e, %f, %g, %h
          : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>,
            vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
    }
    %first = arith.mulf %sums#0, %half : vector<8xf32>
    %second = arith.mulf %sums#1, %half : vector<8xf32>
    llvm.store %first, %p : vector<8xf32>, !llvm.ptr
    llvm.store %second, %p : vector<8xf32>, !llvm.ptr
  }
  return
}

// Few sums leave room.
// CHECK-LABEL: func.func @room
// CHECK-NOT:   llvm.inline_asm
// CHECK:       return
func.func @room(%p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant dense<0.5> : vector<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%a = %half) -> (vector<8xf32>) {
      %next = arith.addf %a, %a : vector<8xf32>
      scf.yield %next : vector<8xf32>
    }
    %y = arith.mulf %sum, %half : vector<8xf32>
    llvm.store %y, %p : vector<8xf32>, !llvm.ptr
  }
  return
}
