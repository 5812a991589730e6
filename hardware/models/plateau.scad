// Thirteen barrels on the plateau, and two hands that reach for two of them: only to look at.
include <measures.scad>
use <stopper.scad>
part = "shown";
$fn = 48;

ring = (plateau_d - body_d) / 2 - 2;
inner = 26;

module at_barrels() {
  for (n = [0:9]) rotate(n * 36) translate([ring, 0, 0]) children();
  for (n = [0:2]) rotate(n * 120 + 18) translate([inner + 2, 0, 0]) children();
}
module limb(points, d) for (n = [1:len(points) - 1]) hull() {
  translate(points[n - 1]) sphere(d = d);
  translate(points[n]) sphere(d = d + n);
}
module hand() color("Tan") { // a broad one: thumb on one side of the barrel, fingers on the other
  reach = (barrel_d + finger) / 2;
  limb([[0, -reach, 36], [22, -reach - 12, 52], [62, -20, 60]], finger);
  for (n = [0:2]) limb([[10 * n - 6, reach - n * n, 36 + n], [24 + 6 * n, reach + 8 - 4 * n, 62 + n], [72, reach - 2 - 15 * n, 66]], finger);
  hull() for (x = [80, 150], y = [-1, 1]) translate([x, y * (hand_w / 2 - 14), 62]) scale([1, 1, 0.8]) sphere(d = 28);
  hull() for (x = [146, 210], y = [-1, 1]) translate([x, y * 16, 64]) sphere(d = 34);
}

color("BurlyWood") translate([0, 0, -6]) cylinder(d = plateau_d, h = 5.9, $fn = 120);
at_barrels() { color("Khaki") body(); color("LightBlue") barrel(); }
for (a = [36, 216]) rotate(a) translate([ring, 0, 0]) hand();
