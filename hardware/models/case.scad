// A case for a small board: the hub's, and the light driver's. part = "hub", "hub lid", "driver",
// "driver lid" or "shown". The box is printed as it stands, its lid upside down.
include <measures.scad>
part = "shown";
$fn = 48;

room = 1.2; // around a board, for wires

module rounded(x, y, h, r) linear_extrude(h, convexity = 4) offset(r) square([x - 2 * r, y - 2 * r], center = true);

module box(board, high, opening) difference() {
  rounded(board.x + 2 * (room + shell), board.y + 2 * (room + shell), high + shell, 2);
  translate([0, 0, shell]) rounded(board.x + 2 * room, board.y + 2 * room, high + 1, 1);
  translate([board.x / 2 - 2, -opening.x / 2, shell + opening.z]) cube([10, opening.x, opening.y]);
  for (y = [-4, 0, 4]) // air
    translate([-board.x / 2 - 10, y - 0.8, shell + 3]) cube([12, 1.6, high - 5]);
}

module lid(board) union() {
  rounded(board.x + 2 * (room + shell), board.y + 2 * (room + shell), shell, 2);
  translate([0, 0, -2.4]) difference() {
    rounded(board.x + 2 * (room - slack), board.y + 2 * (room - slack), 2.5, 1);
    translate([0, 0, -1]) rounded(board.x + 2 * (room - slack - 1.2), board.y + 2 * (room - slack - 1.2), 4, 0.8);
  }
}

hub_high = xiao.z + tape_h + 4;
driver_high = driver.z + 6;
usb = [10.4, 4.2, 1.6];
cable = [14, 7, 2];

if (part == "hub") box(xiao, hub_high, usb);
else if (part == "hub lid") translate([0, 0, shell]) mirror([0, 0, 1]) lid(xiao);
else if (part == "driver") box(driver, driver_high, cable);
else if (part == "driver lid") translate([0, 0, shell]) mirror([0, 0, 1]) lid(driver);
else {
  color("SlateGray") box(xiao, hub_high, usb);
  color("DarkGreen") translate([-xiao.x / 2, -xiao.y / 2, shell + tape_h + 8]) cube([xiao.x, xiao.y, 1.2]);
  color("Gainsboro") translate([xiao.x / 2 - 6, -4.5, shell + tape_h + 9.2]) cube([7.4, 9, 3.2]);
  color("LightSlateGray") translate([0, 0, hub_high + 16]) lid(xiao);
  translate([60, 0, 0]) {
    color("SlateGray") box(driver, driver_high, cable);
    color("Indigo") translate([-driver.x / 2, -driver.y / 2, shell + driver_high + 2]) cube([driver.x, driver.y, 1.6]);
    color("Black") translate([-2, -2, shell + driver_high + 3.6]) cube([4, 4, 0.8]);
    color("LightSlateGray") translate([0, 0, driver_high + 18]) lid(driver);
  }
}
