// The charging box for thirteen: part = "tray", "floor" or "lid" (upside down) to print;
// "shown", "open" or "nest" to look at. In each nest a peg enters the label's well, so that a stopper
// goes in only one way, and before spring pins meet its contacts.
include <measures.scad>
use <stopper.scad>
part = "open";
$fn = 32;

rows = [3, 2, 3, 2, 3];
row_y = box_pitch * sqrt(3) / 2;
inside = [box_board.x + 1, box_board.y + 34];
outside = [inside.x + 2 * box_wall, inside.y + 2 * box_wall];
deck_z = box_under;
nest_z = deck_z + box_floor;
tray_top = nest_z + nest_h;
lid_in = rim_z + barrel_h + box_foam - nest_h; // above the tray
lip = 3;

module at_nests() for (row = [0:4]) for (n = [0:rows[row] - 1])
  translate([(n - (rows[row] - 1) / 2) * box_pitch, (row - 2) * row_y, 0]) children();
module at_screws() {
  for (x = [-1, 1], y = [-1, 1]) translate([x * box_screws.x, y * box_screws.y, 0]) children();
  translate([box_pitch / 2, row_y / 3, 0]) children(); // between three nests
}
module at_corners(inset) for (x = [-1, 1], y = [-1, 1])
  translate([x * (inside.x / 2 - inset), y * (inside.y / 2 - inset), 0]) children();
module slab(size, z, h) translate([0, 0, z]) linear_extrude(h, convexity = 6) offset(r = 3) square([size.x - 6, size.y - 6], center = true);
module bands() for (x = [-1, 1]) translate([x * outside.x / 4, 0, 0]) children(); // two rubber bands hold the lid

module tray() difference() {
  union() {
    slab(outside, deck_z, box_floor);
    difference() {
      slab(outside, deck_z, tray_top - deck_z);
      slab([inside.x - 1, inside.y - 1], nest_z, 20);
    }
    difference() { // the lid stands around this
      slab([outside.x - 2.8, outside.y - 2.8], tray_top - 1, 1 + lip);
      slab([inside.x - 1, inside.y - 1], tray_top - 2, 20);
    }
    at_nests() {
      translate([0, 0, nest_z - 0.1]) cylinder(d = nest_d + 2.4, h = nest_h + 0.1);
    }
    at_screws() translate([0, 0, nest_z - 0.1]) cylinder(d = 5, h = 4, $fn = 32);
    at_corners(4) translate([0, 0, nest_z - 0.1]) cylinder(d = 7, h = 4, $fn = 32);
  }
  at_nests() difference() {
    translate([0, 0, nest_z]) cylinder(d = nest_d, h = 40);
    translate([0, label_y, 0]) { // the peg stays
      cylinder(d = peg_d, h = nest_z + peg_h - 0.9);
      translate([0, 0, nest_z + peg_h - 0.91]) cylinder(d1 = peg_d, d2 = peg_d - 2, h = 0.91);
    }
  }
  at_nests() for (s = [-1, 1], y = [-1.27, 1.27])
    translate([s * header_at.x, header_at.y + y, deck_z - 1]) cylinder(d = pogo_d, h = 4, $fn = 12);
  at_screws() translate([0, 0, deck_z - 1]) cylinder(d = 2.1, h = 5.5, $fn = 24);
  at_corners(4) translate([0, 0, deck_z - 1]) cylinder(d = 2.1, h = 5.5, $fn = 24);
}

module floor() difference() {
  union() {
    difference() {
      slab(outside, -box_floor, deck_z + box_floor);
      slab(inside, 0, 40);
    }
    at_corners(4) translate([0, 0, -0.1]) cylinder(d = 7, h = deck_z + 0.1, $fn = 32);
  }
  at_corners(4) translate([0, 0, -box_floor]) {
    translate([0, 0, -1]) cylinder(d = 2.8, h = 40, $fn = 24);
    translate([0, 0, -0.01]) cylinder(d1 = 5.2, d2 = 2.8, h = 1.3, $fn = 24);
  }
  for (y = box_sockets) // whole plugs reach in, as the sockets end at the board's edge
    translate([inside.x / 2 - 1, y - box_plug.x / 2, deck_z - box_plug.y]) cube([6, box_plug.x, 20]);
  translate([inside.x / 2 - 1, box_lamp.x, deck_z - box_lamp.y]) rotate([0, 90, 0]) cylinder(d = 2.5, h = 6, $fn = 24);
  bands() for (y = [-1, 1]) translate([-3, y * outside.y / 2 - 0.5, -5]) cube([6, 1, 200]);
}

module lid() difference() {
  slab(outside, tray_top, lid_in + 1.6);
  slab([outside.x - 2.4, outside.y - 2.4], tray_top - 1, lid_in + 1);
  bands() for (y = [-1, 1]) translate([-3, y * outside.y / 2 - 0.5, 0]) cube([6, 1, 200]);
}

module stopper_in() translate([0, 0, nest_z]) children();
module board() color("DarkGreen") translate([-box_board.x / 2, -box_board.y / 2, deck_z - 0.1 - box_board.z]) cube(box_board);
module pogos() for (s = [-1, 1], y = [-1.27, 1.27]) translate([s * header_at.x, header_at.y + y, deck_z - 0.1])
  color("Gold") { cylinder(d = 1.83, h = 0.4, $fn = 20); cylinder(d = 1.5, h = 2.6, $fn = 20); cylinder(d = 1.07, h = 4, $fn = 20); }
module cut() render(convexity = 8) difference() {
  children();
  translate([-200, -400 + header_at.y, -5]) cube(400);
}
module stoppers() at_nests() stopper_in() {
  color("Khaki") render(convexity = 6) body();
  color("LightBlue") barrel();
}

if (part == "tray") tray();
else if (part == "floor") floor();
else if (part == "lid") lid();
else if (part == "nest") { // cut open along the contacts of the middle nest
  color("SlateGray") render() intersection() { cut() tray(); translate([-19, -100, 0]) cube([38, 200, 100]); }
  color("DarkGreen") render() intersection() { cut() board(); translate([-19, -100, 0]) cube([38, 200, 100]); }
  pogos();
  stopper_in() {
    color("Gold") cut() foot();
    color("Khaki") cut() whole_body();
    color("LightBlue") cut() barrel();
    headers();
  }
}
else if (part == "shown") {
  color("DimGray") floor();
  translate([0, 0, 14]) board();
  translate([0, 0, 14]) at_nests() pogos();
  translate([0, 0, 30]) color("SlateGray") tray();
}
else {
  color("DimGray") floor();
  color("SlateGray") tray();
  stoppers();
  translate([0, 0, 84]) color("Gainsboro", 0.4) lid();
}
