import json

from reproduce.page.experiments import ShownExperiment, count_jobs, experiment_of

GRIDS = [
    {"axes": {"depth": [1, 2], "init": ["normal"], "seed": [[0, 4], 7]}, "settings": {"rate": 0.5, "steps": 10}},
    {"axes": {"depth": [3], "init": ["normal"], "seed": [1, 2]}, "settings": {"rate": 0.25, "steps": 10}},
]
METADATA = {"spec": json.dumps({"experiment": "classifier", "grids": GRIDS})}
RUNS = {"entry": "classifier.run:run", "data": ["mnist"]}


def test_an_experiment_lists_its_runs_and_settings():
    experiment = experiment_of(METADATA, "cafe", RUNS)
    assert experiment.runs == 14
    assert experiment.settings.splitlines() == [
        "steps: 10",
        '- depth: [1, 2]; init: ["normal"]; seed: [[0, 4], 7]; rate: 0.5',
        '- depth: [3]; init: ["normal"]; seed: [1, 2]; rate: 0.25',
    ]
    assert experiment.function == "classifier.run:run"
    assert (experiment.table, experiment.digest) == ("results/tables/classifier.parquet", "cafe")


def experiment(runs, *data):
    return ShownExperiment("e", "", runs, data, "", "", "")


def test_jobs_are_counted_once():
    # Jobs are runs, tables, and each data set once, whatever the number of experiments that read it.
    assert count_jobs([experiment(5)]) == 6
    assert count_jobs([experiment(5, "mnist"), experiment(2, "mnist", "whitened")]) == 5 + 2 + 2 + 2
    assert count_jobs([]) == 0
