// RUN: ourc-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{argument 0: 'ourc.shape' must have an entry for each of the 2 dimensions}}
func.func private @shape_length(tensor<?x4xf32> {ourc.shape = [4]})

// -----

// expected-error @below {{argument 0: 'ourc.shape' must have an entry for each of the 2 dimensions}}
func.func private @shape_kind(tensor<?x4xf32> {ourc.shape = "n"})

// -----

ourc.symbol @n {min = 1, max = 4}
// expected-error @below {{argument 0: 'ourc.shape' names dimension 0, which is static}}
func.func private @shape_static(tensor<4xf32> {ourc.shape = [@n]})

// -----

// expected-error @below {{argument 0: 'ourc.shape' names @missing, which is not an ourc.symbol}}
func.func private @shape_symbol(tensor<?xf32> {ourc.shape = [@missing]})

// -----

func.func private @f()
// expected-error @below {{argument 0: 'ourc.shape' names @f, which is not an ourc.symbol}}
func.func private @shape_no_symbol(tensor<?xf32> {ourc.shape = [@f]})

// -----

// expected-error @below {{argument 0: 'ourc.shape' entry 0 must be a symbol or a size}}
func.func private @shape_entry(tensor<?xf32> {ourc.shape = ["n"]})

// -----

// expected-error @below {{argument 0: 'ourc.shape' gives a size to dimension 0, which is dynamic: it needs a symbol}}
func.func private @shape_dynamic(tensor<?xf32> {ourc.shape = [4]})

// -----

// expected-error @below {{argument 0: 'ourc.shape' gives dimension 0 the size 5, which is not the type's}}
func.func private @shape_size(tensor<4xf32> {ourc.shape = [5]})

// -----

// expected-error @below {{argument 0: 'ourc.shape' belongs on a tensor, not on 'index'}}
func.func private @shape_of_index(index {ourc.shape = []})

// -----

// expected-error @below {{result 0: 'ourc.shape' is not an attribute of results}}
func.func private @shape_of_result() -> (tensor<4xf32> {ourc.shape = [4]})

// -----

// expected-error @below {{argument 0: 'ourc.layout' must be a permutation (array<i64: …>) of the 2 dimensions}}
func.func private @layout(tensor<4x5xf32> {ourc.layout = array<i64: 0, 0>})

// -----

// expected-error @below {{argument 0: 'ourc.layout' must be a permutation (array<i64: …>) of the 2 dimensions}}
func.func private @layout_length(tensor<4x5xf32> {ourc.layout = array<i64: 0>})

// -----

// expected-error @below {{argument 0: 'ourc.layout' must be a permutation (array<i64: …>) of the 2 dimensions}}
func.func private @layout_kind(tensor<4x5xf32> {ourc.layout = [0, 1]})

// -----

// expected-error @below {{result 0: 'ourc.layout' must be a permutation (array<i64: …>) of the 2 dimensions}}
func.func private @layout_of_result() -> (tensor<4x5xf32> {ourc.layout = array<i64: 0, 2>})

// -----

// expected-error @below {{argument 0: 'ourc.layout' belongs on a tensor, not on 'index'}}
func.func private @layout_of_index(index {ourc.layout = array<i64>})

// -----

// expected-error @below {{argument 0: 'ourc.name' must be a string}}
func.func private @name(tensor<4xf32> {ourc.name = 3 : i64})

// -----

// expected-error @below {{result 0: 'ourc.name' must be a string}}
func.func private @name_of_result() -> (tensor<4xf32> {ourc.name})

// -----

// expected-error @below {{argument 0: 'ourc.parameter' must be a string}}
func.func private @parameter(tensor<4xf32> {ourc.parameter})

// -----

// expected-error @below {{result 0: 'ourc.parameter' is not an attribute of results}}
func.func private @parameter_result() -> (tensor<4xf32> {ourc.parameter = "w"})

// -----

// expected-error @below {{argument 0: 'ourc.frozen' takes no value}}
func.func private @frozen_value(tensor<4xf32> {ourc.parameter = "w", ourc.frozen = true})

// -----

// expected-error @below {{argument 0: 'ourc.frozen' belongs on a parameter}}
func.func private @frozen_input(tensor<4xf32> {ourc.frozen})

// -----

// expected-error @below {{argument 0: 'ourc.unsigned' takes no value}}
func.func private @unsigned_value(tensor<4xi8> {ourc.unsigned = 1 : i64})

// -----

// expected-error @below {{argument 0: 'ourc.unsigned' belongs on a tensor of integers, not on 'tensor<4xf32>'}}
func.func private @unsigned_floats(tensor<4xf32> {ourc.unsigned})

// -----

// expected-error @below {{result 0: 'ourc.unsigned' belongs on a tensor of integers, not on 'tensor<4xi1>'}}
func.func private @unsigned_booleans() -> (tensor<4xi1> {ourc.unsigned})

// -----

// expected-error @below {{result 0: 'ourc.updates' must be the number of an argument (i64)}}
func.func private @updates_kind(tensor<4xf32>) -> (tensor<4xf32> {ourc.updates = "x"})

// -----

// expected-error @below {{result 0: 'ourc.updates' is 1, but the function has 1 arguments}}
func.func private @updates_range(tensor<4xf32>) -> (tensor<4xf32> {ourc.updates = 1 : i64})

// -----

// expected-error @below {{result 0: 'ourc.updates' is 0, but that argument has the type 'tensor<4xf32>' and the result 'tensor<5xf32>'}}
func.func private @updates_type(tensor<4xf32>) -> (tensor<5xf32> {ourc.updates = 0 : i64})

// -----

// expected-error @below {{result 1: 'ourc.updates' is 0, which result 0 updates already}}
func.func private @updates_twice(tensor<4xf32>) -> (tensor<4xf32> {ourc.updates = 0 : i64}, tensor<4xf32> {ourc.updates = 0 : i64})

// -----

// expected-error @below {{argument 0: 'ourc.updates' is not an attribute of arguments}}
func.func private @updates_argument(tensor<4xf32> {ourc.updates = 0 : i64})

// -----

// expected-error @below {{argument 0: 'ourc.colour' is not an attribute of arguments}}
func.func private @unknown(tensor<4xf32> {ourc.colour = "red"})

// -----

// expected-error @below {{result 0: 'ourc.colour' is not an attribute of results}}
func.func private @unknown_result() -> (tensor<4xf32> {ourc.colour = "red"})
