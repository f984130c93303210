// RUN: ourc-opt %s -split-input-file -verify-diagnostics

func.func @element_type(%x: tensor<4xi1>) {
  // expected-error @below {{'ourc.abs' op operand #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %0 = ourc.abs %x : tensor<4xi1>
  return
}

// -----

func.func @float_function_of_integers(%x: tensor<4xi32>) {
  // expected-error @below {{'ourc.exp' op operand #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %0 = ourc.exp %x : tensor<4xi32>
  return
}

// -----

func.func @logic_of_floats(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.and' op operand #0 must be ranked tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer or 1-bit signless integer values, but got 'tensor<4xf32>'}}
  %0 = ourc.and %x, %x : tensor<4xf32>
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @below {{custom op 'ourc.exp' invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = ourc.exp %x : tensor<*xf32>
  return
}

// -----

func.func @odd_width(%x: tensor<4xi4>) {
  // expected-error @below {{'ourc.neg' op operand #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi4>'}}
  %0 = ourc.neg %x : tensor<4xi4>
  return
}

// -----

func.func @operand_types(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'ourc.add' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "ourc.add"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @result_type(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.neg' op requires the same type for all operands and results}}
  %0 = "ourc.neg"(%x) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @compare_types(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{'ourc.compare' op requires all operands to have the same type}}
  %0 = "ourc.compare"(%x, %y) {predicate = #ourc<compare_predicate lt>} : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_result(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.compare' op all non-scalar operands/results must have the same shape and base type}}
  %0 = ourc.compare lt %x, %x : tensor<4xf32> -> tensor<5xi1>
  return
}

// -----

func.func @compare_result_elements(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.compare' op result #0 must be ranked tensor of 1-bit signless integer values, but got 'tensor<4xi8>'}}
  %0 = "ourc.compare"(%x, %x) {predicate = #ourc<compare_predicate lt>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

func.func @compare_no_predicate(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.compare' op requires attribute 'predicate'}}
  %0 = "ourc.compare"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_predicate(%x: tensor<4xf32>) {
  // expected-error @below {{custom op 'ourc.compare' expected one of [eq, ne, lt, le, gt, ge] for how two elements are compared, got: below}}
  // expected-error @below {{custom op 'ourc.compare' failed to parse Ourc_ComparePredicateAttr parameter 'value' which is to be a `::ourc::ComparePredicate`}}
  %0 = ourc.compare below %x, %x : tensor<4xf32> -> tensor<4xi1>
  return
}

// -----

func.func @select_types(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{'ourc.select' op failed to verify that all of {onTrue, onFalse, result} have same type}}
  %0 = "ourc.select"(%c, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @select_condition(%c: tensor<5xi1>, %x: tensor<4xf32>) {
  // expected-error @below {{'ourc.select' op failed to verify that all of {condition, onTrue, onFalse, result} have same shape}}
  %0 = ourc.select %c, %x, %x : tensor<5xi1>, tensor<4xf32>
  return
}

// -----

func.func @select_condition_elements(%c: tensor<4xi8>, %x: tensor<4xf32>) {
  // expected-error @below {{'ourc.select' op operand #0 must be ranked tensor of 1-bit signless integer values, but got 'tensor<4xi8>'}}
  %0 = ourc.select %c, %x, %x : tensor<4xi8>, tensor<4xf32>
  return
}

// -----

func.func @cast_shape(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.cast' op all non-scalar operands/results must have the same shape and base type}}
  %0 = ourc.cast %x : tensor<4xf32> -> tensor<5xi32>
  return
}
