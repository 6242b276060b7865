from typing import Literal

from pydantic import Field, model_validator

from reproduce import api


class _Axes(api.Axes):
    block: api.Axis[api.Name] = Field(
        description="The part of the paper that the runs reproduce; figures select runs by this name."
    )
    init: api.Init[Literal["gaussian", "orthogonal"]]
    size: api.Axis[api.Size] = Field(description="Number of units N in every layer; matrices are N × N.")
    gain: api.Axis[api.Positive] = Field(
        description="Factor g on every matrix: normals of standard deviation g/√N, or g times an orthogonal matrix."
    )
    activation: api.Axis[Literal["linear", "tanh"]] = Field(description="Activation function before every matrix.")


class _Grid(api.Grid[_Axes]):
    realizations: api.Count = Field(description="Number of nets per seed.")
    input_variances: api.Distinct[api.Positive] = Field(
        min_length=1, description="Mean square of each input of a net; Jacobians are computed at the first input."
    )
    record: api.Distinct[Literal["variance", "mean_log_singular_value", "spectrum"]] = Field(
        min_length=1, description="What a run records: variances of activities, mean log singular values, spectra."
    )


class Settings(api.Experiment[_Grid]):
    """Saxe, McClelland & Ganguli 2013, products of random matrices and Jacobians of random tanh nets."""

    @staticmethod
    def minutes(run: dict) -> float:
        """Return the time of the products of a run's matrices; 0.4 s a product at 1,000 units, measured, and a half."""
        return run["realizations"] * run["depth"] * run["size"] ** 3 * 6e-10 / 60

    @model_validator(mode="after")
    def _check_memory(self) -> "Settings":
        for name, grid in self.grids.items():
            size, depth = max(api.values_of(grid.axes.size)), max(api.values_of(grid.axes.depth))
            inputs, nets = len(grid.input_variances), grid.realizations
            api.refuse_beyond_memory(f"grids.{name}: {inputs} inputs of {size} units", inputs * size)
            if "spectrum" in grid.record:
                api.refuse_beyond_memory(f"grids.{name}: {size} values of a spectrum of {nets} nets", nets * size)
            if "variance" in grid.record:
                what = f"grids.{name}: the variances of {inputs} inputs after {depth} layers of {nets} nets"
                api.refuse_beyond_memory(what, nets * (depth + 1) * inputs)
            if "mean_log_singular_value" in grid.record:
                what = f"grids.{name}: a mean log singular value after each of {depth} layers of {nets} nets"
                api.refuse_beyond_memory(what, nets * (depth + 1))
        return self
