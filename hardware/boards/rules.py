"""What an ordinary board house can make: for the router, and as a project file for KiCad."""

import json
from typing import Any, Final

CLEARANCE_MM: Final = 0.15
TRACK_MM: Final = 0.15
VIA_MM: Final = 0.56
DRILL_MM: Final = 0.3
RING_MM: Final = 0.13
EDGE_MM: Final = 0.3
HOLE_MM: Final = 0.25  # from a drilled hole to copper of another net, and to the next hole
VIA_TO_PAD_MM: Final = 0.05  # so that no solder runs into a via

# A library's own drawings are compared with the copy on the board; ours are copies by definition.
LEFT_OUT: Final = ("lib_footprint_issues", "lib_footprint_mismatch")
LEFT_OUT_OF_SHEETS: Final = ("lib_symbol_issues", "lib_symbol_mismatch", "footprint_link_issues")


def project(hole_mm: float = HOLE_MM) -> str:
    """Return the project file that stands beside a board's; holes stay this far from copper."""
    rules = {
        "min_clearance": CLEARANCE_MM,
        "min_track_width": TRACK_MM,
        "min_via_diameter": VIA_MM,
        "min_through_hole_diameter": DRILL_MM,
        "min_via_annular_width": RING_MM,
        "min_copper_edge_clearance": EDGE_MM,
        "min_hole_clearance": hole_mm,
        "min_hole_to_hole": HOLE_MM,
        "min_silk_clearance": 0.0,
        "min_text_height": 0.8,
        "min_text_thickness": 0.1,
        "solder_mask_to_copper_clearance": 0.0,
    }
    usual = {
        "name": "Default",
        "clearance": CLEARANCE_MM,
        "track_width": TRACK_MM,
        "via_diameter": VIA_MM,
        "via_drill": DRILL_MM,
        "priority": 2147483647,
    }
    told: dict[str, Any] = {
        "board": {
            "design_settings": {
                "rules": rules,
                "rule_severities": dict.fromkeys(LEFT_OUT, "ignore"),
            }
        },
        "erc": {"rule_severities": dict.fromkeys(LEFT_OUT_OF_SHEETS, "ignore")},
        "meta": {"version": 3},
        "net_settings": {"classes": [usual], "meta": {"version": 4}},
    }
    return json.dumps(told, indent=2) + "\n"
