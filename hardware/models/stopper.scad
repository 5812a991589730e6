// The stopper. To print: part = "body", "foot", "light foot", "cap" or "keepers"; to cut from sheet, as
// outlines: "leaf outline" or "spacer outline"; the rest at the end is to look at. Upwards is z; the
// table is z = 0. The foot hangs on the right ends of two leaves, the body on their left ends.
include <measures.scad>
part = "exploded";
$fn = 96;

body_r = body_d / 2;
tube_r = plug_d / 2 - tube_w;
foot_r = body_r - skirt_w - float_w;
foot_top = feet_h + foot_h;
upper_z = leaf_z + leaf_t + leaf_apart;
stack_z = upper_z + leaf_t;
label_top = label_z + label_opening / 2;
half = leaf_tongue.x / 2;
radio_z = board_z + board.y;
lipo_z = radio_z + radio.z + 0.1;

module at_catches() for (a = [catch_from, 180 - catch_from, 270]) rotate(a) translate([catch_r, 0, 0]) children();
module both() for (s = [-1, 1]) scale([s, 1, 1]) children();
module at_headers() both() translate([header_at.x, header_at.y, 0]) children();

// --- the leaves and what holds them -------------------------------------------------------------

module clamp_outline(more = 0) intersection() { // of the right end
  translate([half - more, tongue_y - clamp.y / 2 - more]) square([clamp.x + 2 * more, clamp.y + 2 * more]);
  circle(clamp_r + more);
}
module at_screw() translate([half + screw_at.x, tongue_y + screw_at.y]) children();
module at_pin() translate([half + pin_at.x, tongue_y + pin_at.y]) children();
module holes(d) { at_screw() circle(d = d, $fn = 32); at_pin() circle(d = pin_d, $fn = 32); }
module spacer_outline() difference() { clamp_outline(); holes(screw_d + 0.2); }
module leaf_outline() {
  both() spacer_outline();
  translate([-half - 0.01, tongue_y - leaf_tongue.y / 2]) square([2 * half + 0.02, leaf_tongue.y]);
}
module leaves() for (z = [leaf_z, upper_z]) translate([0, 0, z]) linear_extrude(leaf_t) leaf_outline();
module spacer() translate([0, 0, leaf_z + leaf_t]) linear_extrude(leaf_apart) spacer_outline();
module below_fixed() scale([-1, 1, 1]) translate([0, 0, leaf_z - keeper_h.x]) linear_extrude(keeper_h.x) spacer_outline();
module above_guided() translate([0, 0, stack_z]) linear_extrude(keeper_h.y) difference() {
  clamp_outline();
  at_screw() circle(d = screw_core, $fn = 32);
  at_pin() circle(d = pin_d, $fn = 32);
}

// --- what is printed -----------------------------------------------------------------------------

module cup(more) translate([0, label_y, 0]) cylinder(r = label_opening / 2 + more, h = 30);

module foot(light = false) difference() {
  union() {
    translate([0, 0, feet_h]) cylinder(r = foot_r, h = foot_h);
    difference() { // only this ring touches the table
      cylinder(r = foot_r, h = feet_h + 0.1);
      translate([0, 0, -1]) cylinder(r = foot_r - feet_w, h = 3);
    }
    intersection() { cup(label_wall); translate([0, 0, label_z]) cylinder(r = foot_r, h = label_top - label_z + 0.5); }
    at_catches() translate([0, 0, feet_h]) // here it is caught; a light one is screwed tight
      cylinder(d = post_d + 2, h = shoulder_z - (light ? 0 : play) - feet_h);
    if (!light) translate([0, 0, feet_h]) linear_extrude(leaf_z - feet_h) intersection() { // the guided ends lie here
      offset(delta = 0.6) clamp_outline();
      translate([half, -50]) square(100);
    }
  }
  translate([0, label_y, -1]) cylinder(d = label_opening, h = label_top + 1);
  translate([pocket_at.x, pocket_at.y, feet_h + pocket.y]) cylinder(d = pocket.x, h = 9, $fn = 48); // a window without a hole
  at_catches() {
    translate([0, 0, -1]) cylinder(d = sleeve.x + 2 * float_w - 0.1, h = 9, $fn = 32);
    translate([0, 0, -1]) cylinder(d = screw_head.x + 1, h = 1 + neck_z + (light ? 0 : play), $fn = 48);
  }
  at_headers() translate([-window.x / 2, -window.y / 2, -1]) cube([window.x, window.y, 9]);
  if (!light) {
    translate([0, 0, -1]) linear_extrude(9) { // room for the tongue and for the fixed end
      scale([-1, 1, 1]) {
        offset(r = 0.6) clamp_outline();
        at_screw() circle(d = screw_head.x + 1);
      }
      translate([-half - 1, tongue_y - leaf_tongue.y / 2 - 0.5]) square([2 * half + 0.9, leaf_tongue.y + 1]);
    }
    translate([0, 0, -1]) linear_extrude(9) holes(screw_d + 0.2);
    translate([0, 0, -1]) linear_extrude(feet_h + 1) at_screw() circle(d = screw_head.x + 1);
  }
}

module body() difference() {
  union() {
    difference() { // the skirt, and the lip on which the barrel stands
      translate([0, 0, skirt_z]) cylinder(r = body_r, h = rim_z - skirt_z);
      translate([0, 0, skirt_z - 1]) cylinder(r = body_r - skirt_w, h = rim_z - plate_h - skirt_z + 1);
    }
    translate([0, 0, rim_z - 0.01]) cylinder(d = plug_d, h = top_z - cap_h - rim_z + 0.01);
  }
  translate([0, 0, -1]) cylinder(d = ledge_d, h = 30);
  translate([0, 0, board_z]) cylinder(r = tube_r, h = 30);
  intersection() { cup(label_wall + float_w); cylinder(d = 2 * plug_d, h = label_top + 0.5 + play + 0.2); }
  translate([0, 0, groove_z - groove_w / 2]) difference() {
    cylinder(d = plug_d + 2, h = groove_w);
    translate([0, 0, -1]) cylinder(d = plug_d - 2 * groove_depth, h = 5);
  }
}

module held() difference() { // and what the body holds foot and leaves with
  intersection() {
    union() {
      at_catches() translate([0, 0, shoulder_z]) cylinder(d = post_d, h = rim_z - shoulder_z, $fn = 48);
      translate([0, 0, stack_z]) linear_extrude(board_z - 0.5 - stack_z) scale([-1, 1, 1]) {
        clamp_outline();
        translate([half + 3, tongue_y - clamp.y / 2]) square([clamp.x, clamp.y]);
      }
    }
    cylinder(d = ledge_d + 2, h = 40);
  }
  at_catches() cylinder(d = screw_core, h = 9, $fn = 24);
  scale([-1, 1, 1]) { at_screw() cylinder(d = screw_core, h = 30, $fn = 24); at_pin() cylinder(d = pin_d, h = 30, $fn = 24); }
}

module whole_body() union() { body(); held(); }

module cap() union() {
  translate([0, 0, top_z - cap_h]) cylinder(d1 = plug_d, d2 = plug_d - 2 * cap_h, h = cap_h);
  intersection() { // two springy arcs, where the battery leaves room
    translate([0, 0, top_z - cap_h - 1.2]) difference() {
      cylinder(r = tube_r - 0.1, h = 1.3);
      translate([0, 0, -1]) cylinder(r = tube_r - 0.9, h = 3);
    }
    for (a = [90, 270]) rotate(a) linear_extrude(40) polygon([[0, 0], [20, -14], [20, 14]]);
  }
}

module keepers() { // side by side, as they are printed
  translate([0, 3, 0]) translate([half + 10, 0, -leaf_z + keeper_h.x]) below_fixed();
  translate([-half, 3, -stack_z]) above_guided();
}

// --- what is bought, for the pictures ------------------------------------------------------------

module spring_steel() { color("Silver") leaves(); color("Gray") both() spacer(); }
module gauge() translate([0, tongue_y, leaf_z + leaf_t]) { // two grids at each end of the tongue
  color("Peru") translate([-7, -2.4, 0]) cube([14, 4.8, 0.05]);
  color("SaddleBrown") for (x = [-gauge_at, gauge_at], y = [-1.9, 0.3]) for (n = [0:3])
    translate([x - 1.4, y + n * 0.45, 0]) cube([2.8, 0.25, 0.1]);
}
module screw(z, long) {
  translate([0, 0, z - screw_head.y]) cylinder(d = screw_head.x, h = screw_head.y, $fn = 32);
  translate([0, 0, z]) cylinder(d = screw_d, h = long, $fn = 24);
}
module clamp_screw_bodies() { at_screw() screw(feet_h, 8); scale([-1, 1, 1]) at_screw() screw(leaf_z - keeper_h.x, 8); }
module sleeve_bodies() at_catches() translate([0, 0, neck_z]) difference() {
  cylinder(d = sleeve.x, h = shoulder_z - neck_z, $fn = 32);
  translate([0, 0, -1]) cylinder(d = sleeve.y, h = 9, $fn = 32);
}
module catch_screw_bodies() { at_catches() screw(neck_z, 6); sleeve_bodies(); }
module clamp_screws() color("DimGray") clamp_screw_bodies();
module catch_screws() color("DimGray") catch_screw_bodies();
module headers() at_headers() {
  color("Black") translate([-header.x / 2, -header.y / 2, board_z - header.z]) cube(header);
  color("Gold") for (y = [-1.27, 1.27]) translate([-header_pin.x / 2, y - header_pin.x / 2, board_z - header_pin.y])
    cube([header_pin.x, header_pin.x, header_pin.y]);
}
module circuit() {
  color("DarkGreen") translate([0, 0, board_z]) cylinder(d = board.x, h = board.y);
  color("Silver") translate([-radio.x / 2, radio_y - radio.y / 2, radio_z + 0.8]) cube([radio.x, radio.y - 5.3, 1.6]);
  color("MidnightBlue") translate([-radio.x / 2, radio_y - radio.y / 2, radio_z]) cube([radio.x, radio.y, 0.8]);
  color("Black") translate([-3, -7.6, board_z - 1.75]) cube([6.2, 9.9, 1.75]);
  headers();
}
module battery_pouch() color("SteelBlue") translate([-lipo.x / 2, lipo_y - lipo.y / 2, lipo_z]) cube(lipo);
module oring() color("Black") translate([0, 0, groove_z])
  rotate_extrude(convexity = 4) translate([plug_d / 2 - groove_depth + oring_cord / 2, 0]) circle(d = oring_cord, $fn = 16);
module barrel() translate([0, 0, rim_z + 0.02]) difference() {
  union() {
    cylinder(d = barrel_d, h = barrel_h - barrel_d / 2);
    translate([0, 0, barrel_h - barrel_d / 2]) sphere(d = barrel_d);
  }
  translate([0, 0, -1]) cylinder(d = plug_d + 0.2, h = 13);
  translate([0, 0, 11]) cylinder(d = barrel_d - 2 * barrel_wall, h = barrel_h - barrel_d / 2 - 11);
  translate([0, 0, barrel_h - barrel_d / 2]) sphere(d = barrel_d - 2 * barrel_wall);
}
module stones(y) color("Silver") for (p = [[0, 4], [4.6, 5], [-4.7, 4.5], [0, 9], [9, 5], [5, 10], [-8, 9]])
  translate([p.x, p.y, top_z + 2.3]) sphere(d = 4.5, $fn = 24);
module label() translate([0, label_y, label_top]) {
  color("White") translate([0, 0, -0.2]) cylinder(d = label_opening - 0.4, h = 0.2);
  color("Crimson") translate([0, 0, -0.25]) mirror([1, 0, 0])
    linear_extrude(0.3) text("7", size = 8, halign = "center", valign = "center");
}
module cut(y = 0) render(convexity = 8) difference() {
  children();
  translate([-100, y - 200, -1]) cube([200, 200, 200]);
}

if (part == "body") whole_body();
else if (part == "foot") foot();
else if (part == "light foot") foot(light = true);
else if (part == "cap") cap();
else if (part == "keepers") keepers();
else if (part == "leaf outline") leaf_outline();
else if (part == "spacer outline") spacer_outline();
else if (part == "leaf") { color("Silver") linear_extrude(leaf_t) leaf_outline(); translate([0, 0, -leaf_z]) gauge(); }
else if (part == "with leaves") { // the foot with its half of the stack, and the fixed end's keeper
  color("Gold") foot(); spring_steel(); gauge(); clamp_screws();
  color("Orange") { below_fixed(); above_guided(); }
}
else if (part == "with posts") { color("Khaki") whole_body(); circuit(); catch_screws(); }
else if (part == "with board") { color("Khaki") whole_body(); circuit(); oring(); battery_pouch(); }
else if (part == "below") {
  color("Gold") foot(); color("Khaki") whole_body(); spring_steel(); label(); circuit(); clamp_screws(); catch_screws();
  color("Orange") below_fixed();
}
else if (part == "section" || part == "across") {
  y = part == "across" ? header_at.y + 1.27 : tongue_y;
  color("Gold") cut(y) foot();
  color("Khaki") cut(y) whole_body();
  color("Goldenrod") cut(y) cap();
  color("LightBlue") cut(y) barrel();
  color("Silver") cut(y) leaves();
  color("Gray") cut(y) both() spacer();
  color("Orange") cut(y) { below_fixed(); above_guided(); }
  color("DarkGreen") cut(y) translate([0, 0, board_z]) cylinder(d = board.x, h = board.y);
  color("MidnightBlue") cut(y) translate([-radio.x / 2, radio_y - radio.y / 2, radio_z]) cube(radio);
  color("SteelBlue") cut(y) translate([-lipo.x / 2, lipo_y - lipo.y / 2, lipo_z]) cube(lipo);
  color("Black") cut(y) oring();
  color("DimGray") cut(y) { catch_screw_bodies(); clamp_screw_bodies(); }
  color("Black") cut(y) translate([-3, -7.6, board_z - 1.75]) cube([6.2, 9.9, 1.75]);
  if (part == "across") { headers(); cut(y) label(); }
  stones(y);
}
else if (part == "light") {
  color("Gold") foot(light = true);
  translate([0, 0, 8]) label();
  translate([0, 0, -6]) catch_screws();
  translate([0, 0, 14]) color("Khaki") whole_body();
  translate([0, 0, 30]) { circuit(); }
  translate([0, 0, 14]) oring();
  translate([0, 0, 38]) battery_pouch();
  translate([0, 0, 46]) color("Goldenrod") cap();
}
else if (part == "shown") { color("Khaki") whole_body(); color("Gold") foot(); color("LightBlue") barrel(); }
else { // exploded
  translate([0, 0, -10]) catch_screws();
  translate([0, 0, -10]) clamp_screws();
  color("Gold") foot();
  color("Orange") translate([0, 0, 4]) below_fixed();
  translate([0, 0, 9]) { color("Silver") translate([0, 0, leaf_z]) linear_extrude(leaf_t) leaf_outline(); gauge(); }
  translate([0, 0, 13]) color("Gray") both() spacer();
  translate([0, 0, 17]) color("Silver") translate([0, 0, upper_z]) linear_extrude(leaf_t) leaf_outline();
  translate([0, 0, 19]) color("Orange") above_guided();
  translate([0, 0, 30]) color("Khaki") whole_body();
  translate([0, 0, 30]) oring();
  translate([0, 0, 46]) circuit();
  translate([0, 0, 54]) battery_pouch();
  translate([0, 0, 62]) color("Goldenrod") cap();
}
