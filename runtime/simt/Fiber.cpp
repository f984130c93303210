//===- Fiber.cpp - Switching between stacks ----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/Fiber.h"

#include <stdint.h>

extern "C" void ourc_simt_switch_stacks(void **from, void *to);

// The System V convention preserves six registers besides the stack pointer;
// neither the x87 control word nor MXCSR changes in generated kernels.
#if defined(__x86_64__)
__asm__(R"(
        .text
        .p2align 4
        .globl  ourc_simt_switch_stacks
        .hidden ourc_simt_switch_stacks
        .type   ourc_simt_switch_stacks, @function
ourc_simt_switch_stacks:
        pushq   %rbx
        pushq   %rbp
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbp
        popq    %rbx
        ret
        .size   ourc_simt_switch_stacks, .-ourc_simt_switch_stacks
)");
#else
#error "the SIMT machine switches stacks on x86-64 only"
#endif

void ourc::simt::initFiber(FiberContext &fiber, char *stack, size_t bytes,
                           void (*entry)()) {
  // From the top: a null return address for `entry`, `entry` itself for the
  // `ret` of the first switch, six zero registers. `entry` then starts with the
  // alignment that a call would have given it.
  uintptr_t top = (reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t(15);
  auto **slots = reinterpret_cast<void **>(top);
  *--slots = nullptr;
  *--slots = reinterpret_cast<void *>(entry);
  for (int i = 0; i < 6; ++i)
    *--slots = nullptr;
  fiber.stackPointer = slots;
}

void ourc::simt::switchFiber(FiberContext &from, const FiberContext &to) {
  ourc_simt_switch_stacks(&from.stackPointer, to.stackPointer);
}
