// A seat: the pad where the chosen barrel stands, with an eye that sees it and, below a window, a receiver to
// which it says its name; and a console with button and light. part = "pad" (printed upside down, in black), "window" or
// "floor" to print, "shown", "inside" or "trimming" to look at.
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

module at_eye(more, z) translate([-sensor_eye.x / 2 - more, eye_y - sensor_eye.y / 2 - more, z]) children();
module window_outline(more) difference() {
  circle(d = seat_window.x + 2 * more);
  translate([-sensor_eye.x / 2 - 2 + more, eye_y - sensor_eye.y / 2 - 2 + more]) square([sensor_eye.x + 4 - 2 * more, 20]);
}
module window() linear_extrude(seat_window.y) window_outline(0);

module pad() difference() {
  union() {
    difference() {
      body(0, 0);
      body(shell, -1);
    }
    translate([-sensor_eye.x / 2 - 1.5, eye_y - sensor_eye.y / 2 - 1.5, pad_h - eye_z - 5]) // what holds the eye
      cube([sensor_eye.x + 3, sensor_eye.y + 3, 6]);
    for (x = [-1, 1]) { // posts for the floor's screws
      translate([x * (pad_d / 2 - 6), 0, shell + 0.2]) cylinder(d = 6, h = pad_h - shell - 0.3);
      translate([x * (console.x / 2 - post), console_y - console.y / 2 + post, shell + 0.2])
        cylinder(d = 6, h = pad_h - shell - 0.3);
    }
  }
  at_eye(0.2, pad_h - eye_z - 9) cube([sensor_eye.x + 0.4, sensor_eye.y + 0.4, 9]); // from below, up to a ledge
  at_eye(-0.4, pad_h - 4) cube([sensor_eye.x - 0.8, sensor_eye.y - 0.8, 9]);
  translate([0, 0, pad_h - seat_window.y - 0.1]) linear_extrude(9) window_outline(0.2);
  translate([0, 0, pad_h - 4]) linear_extrude(9) offset(delta = -1.6) window_outline(0);
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

module bed() difference() { // the receiver lies on its back here, its legs towards the console
  high = pad_h - receiver_z - receiver.z;
  translate([-receiver.x / 2 - 1.4, -receiver.y / 2 - 1.4, shell - 0.1]) cube([receiver.x + 2.8, receiver.y + 2.8, high - shell + 2.1]);
  translate([-receiver.x / 2 - 0.15, -receiver.y / 2 - 9, high]) cube([receiver.x + 0.3, receiver.y + 9.15, 9]);
}

module half() render(convexity = 8) difference() {
  children();
  translate([-100, eye_y - 200, -1]) cube([200, 200, 100]);
}

module floor() difference() {
  union() {
    linear_extrude(shell, convexity = 6) difference() {
      outline(shell + slack);
      for (x = [-1, 1]) {
        translate([x * (pad_d / 2 - 6), 0]) circle(d = 2.8, $fn = 24);
        translate([x * (console.x / 2 - post), console_y - console.y / 2 + post]) circle(d = 2.8, $fn = 24);
      }
    }
    bed();
  }
  for (x = [-1, 1]) { // heads of M2.5 screws
    translate([x * (pad_d / 2 - 6), 0, -0.01]) cylinder(d1 = 5.2, d2 = 2.8, h = 1.3, $fn = 24);
    translate([x * (console.x / 2 - post), console_y - console.y / 2 + post, -0.01])
      cylinder(d1 = 5.2, d2 = 2.8, h = 1.3, $fn = 24);
  }
}

module eye(z) color("Black") at_eye(0, z - sensor_eye.z) cube(sensor_eye);
module circuit(z) color("DarkGreen") translate([-sensor.x / 2, 19, z]) cube([sensor.x, 1.6, sensor.y]); // stands on the floor
module ear(z) color("DimGray") translate([-receiver.x / 2, -receiver.y / 2, z - receiver.z]) cube(receiver);

if (part == "pad") pad();
else if (part == "window") window();
else if (part == "floor") floor();
else if (part == "inside") {
  color("Tan") pad();
  eye(pad_h - eye_z);
  circuit(shell + 0.3);
  ear(pad_h - receiver_z);
  color("White", 0.6) translate([0, 0, pad_h - seat_window.y]) window();
  color("Crimson") translate([-11, console_y - 2, 4]) cylinder(d = button_d, h = pad_h - 3);
}
else if (part == "trimming") { // cut open: the eye sees a barrel that stands, and none 3 mm above
  color("Tan") half() pad();
  half() eye(pad_h - eye_z);
  circuit(shell + 0.3);
  color("Khaki", 0.9) half() translate([0, 0, pad_h + 3]) difference() {
    cylinder(d = body_d, h = 3);
    translate([0, 0, -1]) cylinder(d = body_d - 6, h = 1.8);
  }
  color("Crimson") for (x = [-20, 20]) translate([x, eye_y, pad_h]) cylinder(d = 0.8, h = 3);
  color("Crimson") translate([22, eye_y, pad_h + 0.4]) rotate([90, 0, 0]) linear_extrude(0.4) text("3 mm", size = 4);
}
else {
  color("Tan") pad();
  eye(pad_h - eye_z);
  color("White", 0.6) translate([0, 0, pad_h - seat_window.y]) window();
  color("Crimson") translate([-11, console_y - 2, pad_h - 2]) cylinder(d = button_d - 1, h = 6);
  color("Salmon") translate([12, console_y - 2, pad_h - 1]) { cylinder(d = led_d, h = 3); translate([0, 0, 3]) sphere(d = led_d); }
  translate([0, 0, -18]) color("BurlyWood") floor();
  translate([0, 0, -14]) { ear(pad_h - receiver_z - 4); circuit(shell - 4 + 0.3); }
}
