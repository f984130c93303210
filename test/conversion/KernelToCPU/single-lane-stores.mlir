// RUN: ourc-opt -ourc-single-lane-stores %s | FileCheck %s

// CHECK-LABEL: func.func @first
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr, %[[V:.*]]: vector<4xi16>)
// CHECK: %[[E:.*]] = vector.extract %[[V]][0] : i16 from vector<4xi16>
// CHECK-NEXT: llvm.store %[[E]], %[[P]] {alignment = 2 : i64} : i16, !llvm.ptr
func.func @first(%p: !llvm.ptr, %v: vector<4xi16>) {
  %m = arith.constant dense<[true, false, false, false]> : vector<4xi1>
  llvm.intr.masked.store %v, %p, %m {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  return
}

// CHECK-LABEL: func.func @third
// CHECK: %[[A:.*]] = llvm.getelementptr %{{.*}}[2] : (!llvm.ptr) -> !llvm.ptr, i16
// CHECK: %[[E:.*]] = vector.extract %{{.*}}[2] : i16 from vector<4xi16>
// CHECK: llvm.store %[[E]], %[[A]] {alignment = 2 : i64}
func.func @third(%p: !llvm.ptr, %v: vector<4xi16>) {
  %m = arith.constant dense<[false, false, true, false]> : vector<4xi1>
  llvm.intr.masked.store %v, %p, %m {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  return
}

// Several lanes, none, or lanes that are not known: as they were.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: llvm.intr.masked.store
func.func @others(%p: !llvm.ptr, %v: vector<4xi16>, %m: vector<4xi1>) {
  %two = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  %none = arith.constant dense<false> : vector<4xi1>
  llvm.intr.masked.store %v, %p, %two {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %v, %p, %none {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %v, %p, %m {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  return
}
