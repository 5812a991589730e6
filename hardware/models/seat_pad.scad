// A seat: the pad where the chosen barrel stands, with an eye below it that sees the barrel, and a
// console with button and light. part = "pad" (printed upside down) or "floor" to print, "shown", "inside"
// or "trimming" to look at.
include <measures.scad>
part = "shown";
$fn = 64;

post = 4.2; // of a post's middle from the console's outside
console_y = -pad_d / 2 - console.y / 2 + 6;

module outline(less) {
  circle(d = pad_d - 2 * less);
  translate([-console.x / 2 + less, console_y - console.y / 2 + less])
    square([console.x - 2 * less, console.y - 2 * less]);
}

module body(less, z) // the outer form, everywhere `less` smaller
  translate([0, 0, z]) linear_extrude(pad_h - less - z, convexity = 6) outline(less);

module pad() difference() {
  union() {
    difference() {
      body(0, 0);
      body(shell, -1);
    }
    for (x = [-1, 1]) { // rails for the sensor's board, and posts for the floor's screws
      translate([x * (sensor.y / 2 + 0.8) - 0.6, -sensor.x / 2, pad_h - shell - 5]) cube([1.2, sensor.x, 5.1]);
      translate([x * (pad_d / 2 - 6), 0, shell + 0.2]) cylinder(d = 6, h = pad_h - shell - 0.3);
      translate([x * (console.x / 2 - post), console_y - console.y / 2 + post, shell + 0.2])
        cylinder(d = 6, h = pad_h - shell - 0.3);
    }
  }
  translate([-sensor_eye.x / 2 - 0.3, -sensor_eye.y / 2 - 0.3, pad_h - shell - 1])
    cube([sensor_eye.x + 0.6, sensor_eye.y + 0.6, 6]);
  translate([0, 0, pad_h - 0.6]) difference() { // a shallow ring shows where the barrel stands
    cylinder(d = body_d + 4, h = 2);
    translate([0, 0, -1]) cylinder(d = body_d + 2.4, h = 4);
  }
  translate([-11, console_y - 2, pad_h - 5]) cylinder(d = button_d + 0.3, h = 9);
  translate([12, console_y - 2, pad_h - 5]) cylinder(d = led_d + 0.2, h = 9);
  translate([0, console_y - console.y / 2 - 1, shell]) cube([6, 8, 4]); // the cable
  for (x = [-1, 1]) {
    translate([x * (pad_d / 2 - 6), 0, -1]) cylinder(d = 2.2, h = 13, $fn = 24);
    translate([x * (console.x / 2 - post), console_y - console.y / 2 + post, -1]) cylinder(d = 2.2, h = 13, $fn = 24);
  }
}

module half() render(convexity = 8) difference() {
  children();
  translate([-100, -200, -1]) cube([200, 200, 100]);
}

module floor() difference() {
  linear_extrude(shell, convexity = 6) difference() {
    outline(shell + slack);
    for (x = [-1, 1]) {
      translate([x * (pad_d / 2 - 6), 0]) circle(d = 2.8, $fn = 24);
      translate([x * (console.x / 2 - post), console_y - console.y / 2 + post]) circle(d = 2.8, $fn = 24);
    }
  }
  for (x = [-1, 1]) { // heads of M2.5 screws
    translate([x * (pad_d / 2 - 6), 0, -0.01]) cylinder(d1 = 5.2, d2 = 2.8, h = 1.3, $fn = 24);
    translate([x * (console.x / 2 - post), console_y - console.y / 2 + post, -0.01])
      cylinder(d1 = 5.2, d2 = 2.8, h = 1.3, $fn = 24);
  }
}

if (part == "pad") pad();
else if (part == "floor") floor();
else if (part == "inside") {
  color("Tan") pad();
  color("DarkGreen") translate([-sensor.y / 2, -sensor.x / 2, pad_h - shell - 6]) cube([sensor.y, sensor.x, 1.6]);
  color("Crimson") translate([-11, console_y - 2, 4]) cylinder(d = button_d, h = pad_h - 3);
}
else if (part == "trimming") { // cut open: the eye sees a barrel that stands, and none 3 mm above
  color("Tan") half() pad();
  color("DarkGreen") half() translate([-sensor.y / 2, -sensor.x / 2, pad_h - shell - 6]) cube([sensor.y, sensor.x, 1.6]);
  color("RoyalBlue") translate([-sensor.y / 2 + 1, 5, pad_h - shell - 12.4]) cube([6, 6, 6.4]); // the trimmer
  color("Gold") translate([-sensor.y / 2 + 4, 8, pad_h - shell - 13.4]) cylinder(d = 3, h = 1.2);
  color("Black") translate([-sensor_eye.x / 2, 0.1, pad_h - shell - 4.4]) cube([sensor_eye.x, sensor_eye.y / 2, 3.6]);
  color("Khaki", 0.9) half() translate([0, 0, pad_h + 3]) cylinder(d = body_d, h = 3);
  color("Crimson") for (x = [-20, 20]) translate([x, 0, pad_h]) cylinder(d = 0.8, h = 3);
  color("Crimson") translate([22, 0, pad_h + 0.4]) rotate([90, 0, 0]) linear_extrude(0.4) text("3 mm", size = 4);
}
else {
  color("Tan") pad();
  color("Black") translate([-sensor_eye.x / 2, -sensor_eye.y / 2, pad_h - 4]) cube([sensor_eye.x, sensor_eye.y, 3.4]);
  color("Crimson") translate([-11, console_y - 2, pad_h - 2]) cylinder(d = button_d - 1, h = 6);
  color("Salmon") translate([12, console_y - 2, pad_h - 1]) { cylinder(d = led_d, h = 3); translate([0, 0, 3]) sphere(d = led_d); }
  translate([0, 0, -14]) color("BurlyWood") floor();
  translate([0, 0, -4]) color("DarkGreen") translate([-sensor.y / 2, -sensor.x / 2, 0]) cube([sensor.y, sensor.x, 1.6]);
  translate([0, 0, -2.4]) color("Black") translate([-sensor_eye.x / 2, -sensor_eye.y / 2, 0]) cube([sensor_eye.x, sensor_eye.y, 3]);
}
