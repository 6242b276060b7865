"""The chart of document 002: for each slider position, marks and texts equal the records of the runs."""

import numpy as np

import small_tables
from chart_reader import THREE_DIGITS, recorded
from deepnets.documents.propagation.charts import layer_by_layer


def test_the_chart_shows_histograms_and_clouds_of_the_chosen_layer(reader):
    table = small_tables.propagation()
    chart = layer_by_layer(table).to_dict()
    names = next(each for each in chart["params"] if each["name"] == "net")["bind"]["labels"]
    assert sorted(names) == ["batch norm resnet", "vanilla"]
    reader.open(chart)
    vanilla = names.index("vanilla")
    for place, layer in ((0, 0), (3, 3), (9, 9)):
        reader.move(net=vanilla, place=place)
        assert reader.shown("place") == str(layer)
        assert f"vanilla, layer {layer}:" in reader.told().lower()
        for kind, metric in (("signal", "log_nu2_signal"), ("noise", "log_mu2_noise")):
            rows = table[(table["metric"] == metric) & (table["block"] == "vanilla")]
            logs = rows.pivot(index="step", columns=["seed", "index"], values="value")
            bars = reader.drawn("rect", kind=kind)
            changes = (logs.loc[layer] - logs.loc[0]).to_numpy()
            assert f"of {kind} {changes.mean():.3g}" in reader.told()
            edges = [mark["left"] for mark in bars] + [bars[-1]["right"]]
            # Each change is in one bin, up to the rounding of the frame.
            assert [mark["count"] for mark in bars] == np.histogram(changes, edges)[0].tolist()
            assert sum(mark["count"] for mark in bars) == 8
            cloud = reader.drawn("symbol", kind=kind)
            if layer == 9:
                assert not cloud
                assert "clouds were recorded at layers 0, 3" in reader.texts()
                continue
            run = {"block": "vanilla", "seed": 0, "step": layer}
            points = [recorded(table, f"cloud_{kind}_{axis}", **run) for axis in (1, 2)]
            size = np.sqrt(np.mean([points[0][key] ** 2 + points[1][key] ** 2 for key in points[0]]))
            for axis, name in enumerate("xy"):
                told = [points[axis][index, layer] / size for index in range(len(cloud))]
                assert np.allclose([mark[name] for mark in cloud], told, rtol=THREE_DIGITS, atol=1e-9)
    # The slider keeps its layer, and a net with fewer layers shows its last one.
    reader.move(net=1 - vanilla)
    assert reader.shown("place") == "9"
    assert "layer 4 (the layer of this net nearest to 9)" in reader.told()
    assert {mark["layer"] for mark in reader.drawn("rect")} == {4}
    assert "no clouds were recorded for this net" in reader.texts()
