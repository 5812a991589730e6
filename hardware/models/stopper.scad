// The smart stopper: part = "foot", "deck", "cap" or "plug" to print, and "exploded", "section",
// "below", "with cell", "with battery", "with boards" or "closing" to look at. Upwards is z; the
// table is z = 0. The foot hangs on the free end of the load cell, the deck on its fixed end, so that
// everything above the foot is weighed by it.
include <measures.scad>
part = "exploded";
$fn = 72;

body_r = inside_d / 2 + wall;
foot_top = ring_h + foot_h;
cell_z = foot_top + pedestal_h;
deck_z = cell_z + cell.z + spacer_h;
deck_top = deck_z + deck_h;
cap_z = deck_top + tape_h + max(xiao.z, converter.z) + flange_h + 0.4;
end_x = cell.x / 2 - cell_hole_inset;
label_depth = label_opening / 2;
rim_z = 0.3; // the well's rim ends just above the table
xiao_x = inside_d / 2 - 2.1 - xiao.x / 2;
converter_x = xiao_x - xiao.x / 2 - 1.2 - converter.x / 2;

module at_bosses() for (a = [45, 135, 270]) rotate(a) translate([boss_r, 0, 0]) children();

module cell_screws(x) for (y = [-1, 1]) translate([x, y * cell_hole_pitch / 2, 0]) children();

module foot() {
  difference() {
    union() {
      translate([0, 0, ring_h]) cylinder(r = body_r, h = foot_h);
      difference() { // only this ring touches the table
        cylinder(r = body_r, h = ring_h + 0.1);
        translate([0, 0, -1]) cylinder(r = body_r - ring_w, h = ring_h + 3);
      }
      translate([0, label_y, rim_z]) cylinder(d = label_opening + 2 * wall, h = label_depth + wall);
      translate([end_x - cell_hole_inset, -cell.y / 2, foot_top - 0.1])
        cube([2 * cell_hole_inset, cell.y, pedestal_h + 0.1]);
    }
    translate([0, label_y, rim_z - 1]) cylinder(d = label_opening, h = label_depth + 1);
    cell_screws(end_x) {
      cylinder(d = 3.3, h = 20, $fn = 24);
      translate([0, 0, ring_h - 0.01]) cylinder(d1 = 6, d2 = 3.2, h = 1.6, $fn = 24);
    }
    // room for nuts under the cell's other end, which must not touch the foot
    cell_screws(-end_x) translate([0, 0, ring_h - 0.01]) cylinder(d = nut.x + 1.2, h = 20, $fn = 24);
  }
}

module deck() {
  difference() {
    union() {
      translate([0, 0, deck_z]) cylinder(r = body_r, h = deck_h / 2);
      translate([0, 0, deck_z]) cylinder(d = inside_d - 2 * slack, h = deck_h);
      difference() { // the skirt around cell and battery
        translate([0, 0, foot_top + gap]) cylinder(r = body_r, h = deck_z - foot_top - gap + 0.1);
        translate([0, 0, -1]) cylinder(d = inside_d, h = deck_z + 1);
      }
      translate([-end_x - cell_hole_inset, -cell.y / 2, deck_z - spacer_h])
        cube([2 * cell_hole_inset, cell.y, spacer_h + 0.1]);
      intersection() { // the battery's pocket: open below, where the foot is
        translate([0, 0, deck_z - battery.z - 0.4]) cylinder(d = inside_d + 0.5, h = battery.z + 0.5);
        difference() {
          battery_at(0.8 + 0.3, 0);
          battery_at(0.3, 1);
          translate([-8, -inside_d, 0]) cube([16, 2 * inside_d, deck_z]); // a finger, and the wires
        }
      }
    }
    cell_screws(-end_x) {
      cylinder(d = 3.3, h = 40, $fn = 24);
      translate([0, 0, deck_top - 1.6]) cylinder(d1 = 3.2, d2 = 6, h = 1.61, $fn = 24);
    }
    at_bosses() cylinder(d = 2.4, h = 40, $fn = 20);
    translate([-cell_coat.x / 2 - 0.8, -4.5, deck_z - 1]) // clear of the gauges' coat; saves mass
      cube([cell_coat.x / 2 + 18.8, 9, deck_h + 2]);
    translate([-7, 12.5, deck_z - 1]) cube([14, 9, deck_h + 2]);  // this one only saves mass
    translate([-7, 8, deck_z - 1]) cube([14, 2.5, deck_h + 2]);   // wires
    translate([-7, -14.6, deck_z - 1]) cube([14, 5.4, deck_h + 2]); // the battery's plug
  }
}

module battery_at(more, longer) {
  y = -cell.y / 2 - 1.8 - battery.y / 2;
  translate([-battery.x / 2 - more, y - battery.y / 2 - more, deck_z - battery.z - 0.4 - longer])
    cube([battery.x + 2 * more, battery.y + 2 * more, battery.z + 0.4 + 2 * longer]);
}

module cap() {
  difference() {
    union() {
      difference() {
        translate([0, 0, deck_z + deck_h / 2 + 0.02]) cylinder(r = body_r, h = cap_z + cap_h - deck_z - deck_h / 2);
        translate([0, 0, deck_z - 1]) cylinder(d = inside_d, h = cap_z - deck_z + 1);
      }
      intersection() {
        at_bosses() translate([0, 0, deck_top + 0.02]) cylinder(d = 5, h = cap_z - deck_top, $fn = 24);
        translate([0, 0, deck_top]) cylinder(r = body_r - 0.1, h = 50);
      }
    }
    translate([0, 0, cap_z - 1]) cylinder(d = plug_d + 2 * slack, h = 9);
    at_bosses() translate([0, 0, deck_top - 1]) cylinder(d = 1.7, h = cap_z - deck_top, $fn = 20);
    translate([inside_d / 2 - 4, -5.2, deck_top + tape_h + 0.8]) cube([10, 10.4, 4.2]); // USB-C
    rotate(315) translate([body_r - 5, -hatch.x / 2, deck_top + 1.2]) cube([10, hatch.x, hatch.y]);
    rotate(225) translate([body_r - 3, 0, deck_top + 3.4]) rotate([0, 90, 0])
      cylinder(d = stopper_led_d + 0.2, h = 6, $fn = 24);
  }
}

module plug(d = plug_d) {
  r = d / 2;
  top = cap_z + cap_h + plug_h;
  groove_z = top - 3.6;
  difference() {
    union() {
      translate([0, 0, cap_z - flange_h]) cylinder(d = flange_d, h = flange_h - 0.02);
      translate([0, 0, cap_z - flange_h]) cylinder(r = r, h = top - cap_z + flange_h - 0.8);
      translate([0, 0, top - 0.81]) cylinder(r1 = r, r2 = r - 0.8, h = 0.81);
    }
    translate([0, 0, cap_z - flange_h - 1]) cylinder(r = r - 1.1, h = groove_z - cap_z - groove_w);
    translate([0, 0, cap_z - flange_h - 1]) cylinder(r = r - groove_depth - 1.0, h = top - cap_z + flange_h);
    translate([0, 0, groove_z]) difference() { // the groove for the O-ring
      translate([0, 0, -groove_w / 2]) cylinder(r = r + 1, h = groove_w);
      translate([0, 0, -groove_w]) cylinder(r = r - groove_depth, h = 2 * groove_w);
    }
  }
}

// --- what is bought, for the pictures ------------------------------------------------------------

module block(size, x, y, z) translate([x - size.x / 2, y - size.y / 2, z]) cube(size);

module bought_cell() {
  color("White") for (z = [cell_z - cell_coat.z, cell_z + cell.z]) block(cell_coat, 0, 0, z);
  bought_bar();
}

module bought_bar() color("Silver") difference() {
  block(cell, 0, 0, cell_z);
  for (x = [-end_x, end_x]) cell_screws(x) translate([0, 0, cell_z - 1]) cylinder(d = 3, h = 20, $fn = 24);
  for (x = [-4, 4]) translate([x, 0, cell_z + cell.z / 2]) rotate([90, 0, 0])
    cylinder(d = 4.4, h = 20, center = true, $fn = 32);
  translate([-4, -10, cell_z + cell.z / 2 - 0.6]) cube([8, 20, 1.2]);
}

module bought_battery() color("SteelBlue") battery_at(0, -0.2);

module bought_boards() {
  z = deck_top + tape_h;
  color("DarkGreen") block([xiao.x, xiao.y, 1.2], xiao_x, 0, z);
  color("Gainsboro") block([7.4, 9, 3.2], inside_d / 2 - 4.2, 0, z + 1.2);
  color("Silver") block([10, 11, 2], xiao_x - 3, 0, z + 1.2);
  color("Firebrick") block([converter.x, converter.y, 1.6], converter_x, 0, z);
  color("Black") block([10, 4, 1.6], converter_x, 0, z + 1.6);
  color("MidnightBlue") block([accelerometer.x, accelerometer.y, 1.6], 0, 17, z);
  color("Black") block([2, 2, 0.8], 0, 17, z + 1.6);
}

module plugged() { // the battery's plug in its socket, by the hatch
  rotate(315) translate([body_r - 13, 0, deck_top + 1.4]) {
    color("White") translate([0, -3, 0]) cube([5.5, 6, 3.4]);
    color("WhiteSmoke") translate([5.7, -3.4, -0.2]) cube([6, 6.8, 3.8]);
  }
}

module oring() color("Black") translate([0, 0, cap_z + cap_h + plug_h - 3.6])
  rotate_extrude(convexity = 4) translate([plug_d / 2 - groove_depth + oring_cord / 2, 0]) circle(d = oring_cord, $fn = 16);

module barrel() translate([0, 0, cap_z + cap_h + 0.1]) difference() {
  union() {
    cylinder(d = barrel_d, h = barrel_h - barrel_d / 2);
    translate([0, 0, barrel_h - barrel_d / 2]) sphere(d = barrel_d);
  }
  translate([0, 0, -1]) cylinder(d = plug_d + 0.3, h = plug_h + 3);
  cylinder(d = barrel_d - 2.4, h = barrel_h - barrel_d / 2);
  translate([0, 0, barrel_h - barrel_d / 2]) sphere(d = barrel_d - 2.4);
}

module stones() color("Silver") for (p = [[-3, 0], [-4.4, 5], [-4, -4.9], [-8.6, 2], [-8, -3.2], [-3.4, 9.6], [-3.2, -9.8]])
  translate([p.x, p.y, cap_z + cap_h + plug_h + 2.4]) sphere(d = 4.5, $fn = 24);

module label() color("White") translate([0, label_y, rim_z + label_depth - 0.2])
  cylinder(d = label_opening - 0.4, h = 0.2);

module number() color("Crimson") translate([0, label_y, rim_z + label_depth - 0.25]) mirror([1, 0, 0])
  linear_extrude(0.3) text("7", size = 8, halign = "center", valign = "center");

module cut() render(convexity = 8) difference() {
  children();
  translate([0, -100, -1]) cube([200, 200, 200]);
}

if (part == "foot") foot();
else if (part == "deck") deck();
else if (part == "cap") cap();
else if (part == "plug") plug();
else if (part == "below") { color("Gold") foot(); color("Orange") deck(); color("Khaki") cap(); label(); number(); }
else if (part == "section") {
  color("Gold") cut() foot();
  color("Orange") cut() deck();
  color("Khaki") cut() cap();
  color("Goldenrod") cut() plug();
  color("LightBlue") cut() barrel();
  color("White") cut() label();
  color("Silver") cut() bought_cell();
  color("SteelBlue") cut() bought_battery();
  color("Firebrick") cut() block([converter.x, converter.y, 1.6], converter_x, 0, deck_top + tape_h);
  color("MidnightBlue") cut() block([accelerometer.x, accelerometer.y, 1.6], 0, 17, deck_top + tape_h);
  color("Black") cut() oring();
  stones();
}
else if (part == "with cell") {
  color("Gold") foot();
  bought_cell();
}
else if (part == "with battery") {
  color("Orange") deck();
  bought_cell();
  bought_battery();
}
else if (part == "with boards") {
  color("Orange") deck();
  bought_boards();
  plugged();
}
else if (part == "closing") {
  color("Khaki") cut() cap();
  translate([0, 0, -5]) {
    color("Goldenrod") cut() plug();
    color("SteelBlue") cut() oring();
    color("DimGray") block([0.4, 18, 6], -8.6, 0, cap_z + 0.4); // the antenna
  }
  color("Crimson") rotate(225) translate([body_r - 1, 0, deck_top + 3.4]) rotate([0, 90, 0])
    cylinder(d = stopper_led_d, h = 5, $fn = 24);
}
else { // exploded
  color("Gold") foot();
  translate([0, 0, 12]) bought_cell();
  translate([0, 0, 18]) bought_battery();
  translate([0, 0, 26]) color("Orange") deck();
  translate([0, 0, 34]) bought_boards();
  translate([0, 0, 46]) color("Goldenrod") plug();
  translate([0, 0, 46]) oring();
  translate([0, 0, 62]) color("Khaki") cap();
}
