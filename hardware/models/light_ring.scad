// The light ring: four equal quarters lie around the board and carry its 32 lights. The inner row
// are the fields, in the outer row a start beside its entry and a city beside its gate. The holes of
// both ends are alike, so it does not matter which way round play goes.
// part = "quarter" (printed upside down), or "shown", "measured" and "labelled" to look at.
include <measures.scad>
part = "quarter";
$fn = 180;

angle = 360 / quarters;
step = 360 / 24;
r_in = board_d / 2 + ring_in;
r_out = r_in + band_w;
r_field = r_in + 7;
r_end = r_out - 6;
middle = (r_in + r_out) / 2;

module band(inner, outer, h, from, to) rotate(from) rotate_extrude(angle = to - from, convexity = 6)
  translate([inner, 0]) square([outer - inner, h]);

module holes() {
  for (n = [0:24 / quarters - 1]) rotate((n + 0.5) * step) translate([r_field, 0, 0]) children();
  if (starts) rotate(angle - 0.5 * step) translate([r_end, 0, 0]) children();
  if (cities) rotate(0.5 * step) translate([r_end, 0, 0]) children();
}

module quarter() {
  difference() {
    band(r_in, r_out, band_h, 0, angle);
    translate([0, 0, -1]) band(r_in + shell, r_out - shell, band_h - shell + 1, -1, angle + 1);
    holes() cylinder(d = led_d + 0.2, h = 40, $fn = 24);
    rotate(angle / 2) translate([r_out - 4, -4, -1]) cube([8, 8, 5]); // a cable
  }
  // At one end a tongue reaches under the top of the next quarter, which has two rails for it.
  translate([middle - tongue.y / 2, -tongue.x, band_h - shell - tongue.z])
    difference() {
      cube([tongue.y, 2 * tongue.x, tongue.z]);
      translate([1.2, -1, -1]) cube([tongue.y - 2.4, 2 * tongue.x + 2, tongue.z - 0.4]);
    }
  translate([middle - tongue.y / 2, 0, band_h - shell - 0.1]) cube([tongue.y, tongue.x, 0.2]);
  for (side = [-1, 1]) rotate(angle)
    translate([middle + side * (tongue.y / 2 + slack + 0.6) - 0.6, -tongue.x, band_h - shell - tongue.z])
      cube([1.2, tongue.x, tongue.z + 0.1]);
}

colours = ["Crimson", "ForestGreen", "RoyalBlue", "Gold"];

module across() color("Crimson") { // what board_d means
  translate([-board_d / 2, -1, band_h]) cube([board_d, 2, 1]);
  for (x = [-1, 1]) translate([x * (board_d / 2 - 8), 0, band_h]) rotate(90 - x * 90) cylinder(r = 8, h = 1, $fn = 3);
  translate([0, 6, band_h]) linear_extrude(1) text(str("board_d = ", board_d, " mm"), size = 18, halign = "center");
}

module named(at, r, number) rotate(at) translate([r, 0, 0]) rotate([180, 0, 20 - at]) color("Crimson")
  linear_extrude(1) text(str("D", number), size = 9, halign = "center", valign = "center");

module labelled() { // red's quarter from below, with the names that its lights have in pins.toml
  quarter();
  for (n = [0:5]) named((n + 0.5) * step, r_in - 14, 5 - n);
  named(angle - 0.5 * step, r_out + 14, 24); // red's start
  named(0.5 * step, r_out + 14, 29);         // green's city
}

if (part == "quarter") quarter();
else if (part == "labelled") labelled();
else {
  if (part == "measured") across();
  whole();
}

module whole() for (q = [0:quarters - 1]) rotate(-(q + 1) * angle) { // seen from above, play goes clockwise
  color(q % 2 == 0 ? "DimGray" : "Gray") quarter();
  for (n = [0:24 / quarters - 1]) rotate((n + 0.5) * step) translate([r_field, 0, band_h])
    color("White") sphere(d = 7, $fn = 20);
  color(colours[q]) rotate(angle - 0.5 * step) translate([r_end, 0, band_h + 2]) cube(9, center = true);
  color(colours[(q + 1) % 4]) rotate(0.5 * step) translate([r_end, 0, band_h]) rotate(45)
    cylinder(d1 = 12, d2 = 1, h = 9, $fn = 4);
}
