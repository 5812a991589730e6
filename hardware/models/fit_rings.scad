// Five rings to try in the bore of a barrel: from 27.6 to 28.4 mm, one to five notches. The one that
// turns with a little drag is plug_d in measures.scad. Printed as they lie.
include <measures.scad>
$fn = 64;

module ring(index) difference() {
  cylinder(d = fit_from + index * fit_step, h = 5);
  translate([0, 0, -1]) cylinder(d = fit_from - 3.2, h = 7);
  for (n = [0:index]) rotate(n * 14) translate([fit_from / 2 - 2.2, -0.7, 3.6]) cube([4, 1.4, 3]);
}

for (index = [0:fit_count - 1])
  translate([(index % 3) * 32 + (index > 2 ? 16 : 0), index > 2 ? -30 : 0, 0]) ring(index);
