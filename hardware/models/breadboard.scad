// What carries the load cell of the breadboard: part = "foot" or "deck" to print, "shown" to look at. It
// stands on its foot like a stopper, boards and weights lie on the deck. Printed as they lie.
include <measures.scad>
part = "shown";
$fn = 72;

deck_d = 60;
plate = 2;
rest = 1.6;          // lifts the cell off foot and deck
cell_z = feet_h + plate + rest;
deck_z = cell_z + cell.z + rest;
end_x = cell.x / 2 - cell_hole_inset;

module at_holes(x) for (y = [-1, 1]) translate([x, y * cell_hole_pitch / 2, 0]) children();
module rests(x, z) translate([x - cell_hole_inset, -cell.y / 2, z]) cube([2 * cell_hole_inset, cell.y, rest + 0.1]);

module foot() difference() {
  union() {
    translate([0, 0, feet_h]) cylinder(d = deck_d, h = plate);
    difference() { // only this ring touches the table
      cylinder(d = deck_d, h = feet_h + 0.1);
      translate([0, 0, -1]) cylinder(d = deck_d - 8, h = 3);
    }
    rests(end_x, feet_h + plate - 0.1);
  }
  at_holes(end_x) {
    cylinder(d = 3.3, h = 20, $fn = 24);
    translate([0, 0, feet_h - 0.01]) cylinder(d1 = 6, d2 = 3.2, h = 1.6, $fn = 24);
  }
  at_holes(-end_x) cylinder(d = nut.x + 1.6, h = 20, $fn = 24); // nuts hang here, and touch nothing
}

module deck() difference() {
  union() {
    translate([0, 0, deck_z]) cylinder(d = deck_d, h = plate);
    rests(-end_x, deck_z - rest);
  }
  at_holes(-end_x) {
    cylinder(d = 3.3, h = 40, $fn = 24);
    translate([0, 0, deck_z + plate - 1.6]) cylinder(d1 = 3.2, d2 = 6, h = 1.61, $fn = 24);
  }
  translate([-5, 9, 0]) cube([10, 4, 40]); // wires
}

module block(size, x, y, z) translate([x - size.x / 2, y - size.y / 2, z]) cube(size);

module bought_cell() color("Silver") difference() {
  block(cell, 0, 0, cell_z);
  for (x = [-end_x, end_x]) at_holes(x) translate([0, 0, cell_z - 1]) cylinder(d = 3, h = 20, $fn = 24);
  for (x = [-4, 4]) translate([x, 0, cell_z + cell.z / 2]) rotate([90, 0, 0]) cylinder(d = 4.4, h = 20, center = true, $fn = 32);
  translate([-4, -10, cell_z + cell.z / 2 - 0.6]) cube([8, 20, 1.2]);
}

module boards() translate([0, 0, deck_z + plate + 1]) {
  color("DarkGreen") block([xiao.x, xiao.y, 1.2], 14, 0, 0);
  color("Gainsboro") block([7.4, 9, 3.2], 23, 0, 1.2);
  color("Silver") block([10, 11, 2], 11, 0, 1.2);
  color("Firebrick") block([converter.x, converter.y, 1.6], -12, 0, 0);
  color("Black") block([10, 4, 1.6], -12, 0, 1.6);
  color("MidnightBlue") block([accelerometer.x, accelerometer.y, 1.6], 0, 20, 0);
  color("SteelBlue") block(battery, 0, -19, 0);
}

if (part == "foot") foot();
else if (part == "deck") deck();
else {
  color("Gold") foot();
  bought_cell();
  translate([0, 0, 14]) color("Orange") deck();
  translate([0, 0, 20]) boards();
}
