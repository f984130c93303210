// RUN: ourc-opt %s -split-input-file -verify-diagnostics

func.func @given_twice(%x: tensor<4xf32>) {
  // expected-error @below {{argument 'self' is given twice}}
  %0 = aten.call "exp.default"(self = %x, self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @missing_operand(%x: tensor<4xf32>) {
  // expected-error @below {{names an operand that it does not have}}
  %0 = "aten.call"(%x) {callee = "exp.default", arguments = {self = #aten.operand<1>}} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @missing_in_list(%x: tensor<4xf32>) {
  // expected-error @below {{names an operand that it does not have}}
  %0 = "aten.call"(%x) {callee = "cat.default", arguments = {tensors = [#aten.operand<0>, #aten.operand<7>]}} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unnamed_operand(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{operand 1 has no argument name}}
  %0 = "aten.call"(%x, %y) {callee = "exp.default", arguments = {self = #aten.operand<0>}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_callee(%x: tensor<4xf32>) {
  // expected-error @below {{requires attribute 'callee'}}
  %0 = "aten.call"(%x) {arguments = {self = #aten.operand<0>}} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @operand_count(%x: tensor<4xf32>) {
  // expected-error @below {{number of operands and types do not match: got 1 operands and 2 types}}
  %0 = aten.call "exp.default"(self = %x) : (tensor<4xf32>, index) -> tensor<4xf32>
  return
}

// -----

func.func @undefined() {
  // expected-error @below {{use of undeclared SSA value name}}
  %0 = aten.call "exp.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
