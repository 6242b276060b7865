_UNFINISHED = {"steps": "half of the updates end before what the sentence is on"}
_ADDED = {"data.added_feature": "the sentence names the feature", **_UNFINISHED}
EVERYWHERE = {
    "strong_modes_come_first": "stronger modes come first from large weights too, and in data without a tree",
}
SILENT = {
    **dict.fromkeys(
        (
            "illusions_fade",
            "last_four_are_a_group",
            "long_plateau_sudden_drop",
            "modes_are_independent",
            "plateaus_are_saddle_points",
            "representations_go_from_coarse_to_fine",
            "similarities_follow_the_tree",
            "stopped_early",
            "strong_modes_come_first",
            "variance_explained",
        ),
        _UNFINISHED,
    ),
    "bones_come_with_the_second_mode": {"data.added_feature": "the sentence names the feature"},
    "parrot_illusion_comes_and_goes": {"data.illusory_item": "the sentence names the item", **_ADDED},
    "shark_illusion": _ADDED,
}
RELATIVE = {"larger_scale": "similarities are shares of the largest"}
