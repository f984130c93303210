// RUN: ourc-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{'kernel.func' op has 1 results, but only 0 arguments: each result needs a destination}}
kernel.func @few_arguments() -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  kernel.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op has 1 results and a workspace, but only 1 arguments: each result needs a destination}}
kernel.func @few_arguments_for_workspace(%out: tensor<4xf32>) -> tensor<4xf32> attributes {workspace} {
  kernel.return %out : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op argument 0 must be a ranked tensor, but is 'f32'}}
kernel.func @scalar_argument(%x: f32, %out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op argument 0 has i1 elements: a boolean is i8 in a kernel's buffers}}
kernel.func @boolean_argument(%x: tensor<4xi1>, %out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op result 0 has type 'tensor<4xf32>', but its destination has type 'tensor<5xf32>'}}
kernel.func @destination_type(%x: tensor<4xf32>, %out: tensor<5xf32>) -> tensor<4xf32> {
  kernel.return %x : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op workspace must be a one-dimensional i8 tensor}}
kernel.func @workspace_type(%out: tensor<4xf32>, %space: tensor<4xf32>) -> tensor<4xf32> attributes {workspace} {
  kernel.return %out : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op must have a body}}
kernel.func @no_body(%out: tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-error @below {{'kernel.func' op must end in kernel.return}}
kernel.func @no_return(%out: tensor<4xf32>) -> tensor<4xf32> {
  llvm.unreachable
}

// -----

kernel.func @other_results(%x: tensor<5xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'kernel.return' op returns 'tensor<5xf32>', but the kernel's results are 'tensor<4xf32>'}}
  kernel.return %x : tensor<5xf32>
}

// -----

func.func @return_outside() {
  // expected-error @below {{'kernel.return' op expects parent op 'kernel.func'}}
  kernel.return
}

// -----

// expected-error @below {{'kernel.func' op argument 0: 'ourc.shape' must be an array with an entry for each dimension}}
kernel.func @shape_kind(%out: tensor<?xf32> {ourc.shape = "n"}) -> tensor<?xf32> {
  kernel.return %out : tensor<?xf32>
}

// -----

// expected-error @below {{'kernel.func' op argument 0: 'ourc.shape' has 2 entries, but the tensor has rank 1}}
kernel.func @shape_length(%out: tensor<?xf32> {ourc.shape = [@n, 4]}) -> tensor<?xf32> {
  kernel.return %out : tensor<?xf32>
}

// -----

// expected-error @below {{'kernel.func' op argument 0: 'ourc.shape' names dimension 0, which is static}}
kernel.func @shape_static(%out: tensor<4xf32> {ourc.shape = [@n]}) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op argument 0: 'ourc.shape' entry 0 must be a symbol or an integer}}
kernel.func @shape_entry(%out: tensor<?xf32> {ourc.shape = ["n"]}) -> tensor<?xf32> {
  kernel.return %out : tensor<?xf32>
}

// -----

// expected-error @below {{'kernel.func' op argument 0: 'ourc.shape' gives dimension 0 the size 5, which is not the tensor's}}
kernel.func @shape_size(%out: tensor<4xf32> {ourc.shape = [5]}) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op argument 0: 'ourc.shape' gives dimension 0 the size 5, which is not the tensor's}}
kernel.func @shape_dynamic(%out: tensor<?xf32> {ourc.shape = [5]}) -> tensor<?xf32> {
  kernel.return %out : tensor<?xf32>
}

// -----

// expected-error @below {{custom op 'kernel.func' 'kernel.func' op attribute 'schedule' failed to satisfy constraint: ScheduleAttrInterface instance}}
kernel.func @schedule(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = "fast"} {
  kernel.return %out : tensor<4xf32>
}

// -----

// expected-error @below {{struct is missing required parameter: grain}}
kernel.func @schedule_field(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.cpu_pointwise<lanes = 16>} {
  kernel.return %out : tensor<4xf32>
}
