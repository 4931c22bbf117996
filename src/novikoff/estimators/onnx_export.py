"""A linear member as an ONNX graph: scores = X·coefᵀ + intercept, then the label."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.errors import InputError
from novikoff.memory import in_words

MOST_BYTES = 2**31 - 2**20  # of a protobuf message, with room for the rest of the graph

if TYPE_CHECKING:
    from onnx import ModelProto


def to_onnx(estimator: Any, path: str | os.PathLike[str] | None = None) -> ModelProto:
    """The fitted linear classifier as an ONNX model; written to `path` where given.

    Input `X` (rows × columns, in the weights' precision), outputs `label` and `scores`. A tie
    goes where `predict` sends it. Scores are plain sums here, so the sign of one that is within
    rounding error of zero may differ from `decision_function`'s, which is exact.
    """
    try:
        import onnx
        from onnx import TensorProto, helper, numpy_helper
    except ImportError:
        raise InputError("onnx is not installed; pip install 'novikoff[onnx]'.") from None
    coef = _weights(estimator)
    if len(estimator.classes_) < 2:
        raise InputError("the model has seen 1 class only; ONNX export needs at least 2.")
    if coef.nbytes > MOST_BYTES:
        raise InputError(
            f"the weights are {in_words(coef.nbytes)}; an ONNX file holds at most 2 GB."
        )
    real = TensorProto.FLOAT if coef.dtype == np.float32 else TensorProto.DOUBLE
    text = estimator.classes_.dtype.kind in "OUS"
    labels = estimator.classes_.astype(str if text else np.int64)
    if not text and not np.array_equal(labels, estimator.classes_):
        raise InputError("the labels are neither text nor integers, which ONNX labels must be.")
    constants = [
        numpy_helper.from_array(np.ascontiguousarray(coef.T), "coef"),
        numpy_helper.from_array(estimator.intercept_, "intercept"),
        helper.make_tensor(
            "classes", TensorProto.STRING if text else TensorProto.INT64, [len(labels)],
            [label.encode() for label in labels.tolist()] if text else labels.tolist(),
        ),
    ]  # fmt: skip
    nodes = [
        helper.make_node("MatMul", ["X", "coef"], ["products"]),
        helper.make_node("Add", ["products", "intercept"], ["scores"]),
    ]
    if len(coef) == 1:
        constants.append(numpy_helper.from_array(np.zeros(1, coef.dtype), "zero"))
        above = "GreaterOrEqual" if estimator.tie == "positive" else "Greater"
        constants.append(numpy_helper.from_array(np.array([-1], np.int64), "flat"))
        nodes += [
            helper.make_node(above, ["scores", "zero"], ["sides"]),
            helper.make_node("Cast", ["sides"], ["places2d"], to=TensorProto.INT64),
            helper.make_node("Reshape", ["places2d", "flat"], ["places"]),
        ]
    else:
        last = estimator.tie == "positive" and estimator.multiclass == "joint"
        nodes.append(
            helper.make_node(
                "ArgMax", ["scores"], ["places"], axis=1, keepdims=0, select_last_index=int(last)
            )
        )
    nodes.append(helper.make_node("Gather", ["classes", "places"], ["label"]))
    graph = helper.make_graph(
        nodes,
        "novikoff",
        [helper.make_tensor_value_info("X", real, ["rows", coef.shape[1]])],
        [
            helper.make_tensor_value_info(
                "label", TensorProto.STRING if text else TensorProto.INT64, ["rows"]
            ),
            helper.make_tensor_value_info("scores", real, ["rows", len(coef)]),
        ],
        constants,
    )
    model = helper.make_model(
        graph, producer_name="novikoff", opset_imports=[helper.make_opsetid("", 17)], ir_version=9
    )
    onnx.checker.check_model(model)
    if path is not None:
        from novikoff.files import write_whole

        write_whole(path, model.SerializeToString(deterministic=True))
    return model


def _weights(estimator: Any) -> np.ndarray:
    coef: np.ndarray | None = getattr(estimator, "coef_", None)
    if coef is None:
        raise InputError(
            f"{type(estimator).__name__} has no coef_: ONNX export takes fitted linear members."
        )
    return coef


# As a step of a pipeline that skl2onnx exports: it asks an estimator for these two.


def declare_outputs(operator: Any) -> None:
    """The types and sizes of `label` and `scores`."""
    from skl2onnx.common import data_types as types

    estimator, n_rows = operator.raw_operator, operator.inputs[0].get_first_dimension()
    coef, (label, scores) = _weights(estimator), operator.outputs
    text = estimator.classes_.dtype.kind in "OUS"
    real = types.FloatTensorType if coef.dtype == np.float32 else types.DoubleTensorType
    label.type = (types.StringTensorType if text else types.Int64TensorType)([n_rows])
    scores.type = real([n_rows, len(coef)])


def add_nodes(scope: Any, operator: Any, container: Any) -> None:
    """The graph of `to_onnx`, its input cast to the weights' precision."""
    from onnx import helper

    graph = to_onnx(operator.raw_operator).graph
    label, scores = operator.outputs
    names: dict[str, str] = {"label": label.full_name, "scores": scores.full_name}

    def named(name: str) -> str:
        if name not in names:
            names[name] = scope.get_unique_variable_name(f"novikoff_{name}")
        return names[name]

    real = graph.input[0].type.tensor_type.elem_type
    container.add_node("Cast", [operator.inputs[0].full_name], [named("X")], to=real,
                       name=scope.get_unique_operator_name("Cast"))  # fmt: skip
    for constant in graph.initializer:
        constant.name = named(constant.name)
        container.initializers.append(constant)
    for node in graph.node:
        container.add_node(
            node.op_type, list(map(named, node.input)), list(map(named, node.output)),
            name=scope.get_unique_operator_name(node.op_type),
            **{one.name: helper.get_attribute_value(one) for one in node.attribute},
        )  # fmt: skip
