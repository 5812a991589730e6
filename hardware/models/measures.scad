// Every measure of the printable parts, in millimetres. Change a number here and render again;
// README.md says how. What is marked † was not taken from a data sheet: measure your own part.
// One "name = number;" or "name = [numbers];" a line: the tests read this file too.

// --- the barrel: measure yours -------------------------------------------------------------------
plug_d = 28.0;          // the fit ring that turns in the bore with a little drag
plug_h = 8;             // how far the plug reaches into the barrel
fit_from = 27.6;        // the fit rings: from, step, how many
fit_step = 0.2;
fit_count = 5;
oring_cord = 1.5;       // an O-ring of 25 mm inside and this thickness lies in the groove
groove_depth = 1.2;
groove_w = 1.9;
barrel_d = 31;          // only for the pictures †
barrel_h = 45;

// --- what is bought ------------------------------------------------------------------------------
cell = [47, 12, 6];     // load cell TAL221, 100 g; all of it from two drawings by others
cell_hole_inset = 3.5;  // its holes: two at each end, so far from the end,
cell_hole_pitch = 6;    // and so far from each other, across
cell_coat = [30, 6, 1]; // what covers its gauges, in the middle of both faces: keep clear of it
nut = [6.4, 2.4];       // M3: across its corners, and its height
xiao = [21, 17.8, 4.4]; // length and width from its maker; the height counts the USB socket †
converter = [25.5, 17.8, 4.6]; // board with the NAU7802 †
accelerometer = [20, 12, 3];   // board with the LIS2DW12, at most †
battery = [30, 12, 4.2];       // LiPo of 100 mAh, such as 401230, with room to swell inside †
sensor = [32, 14, 9];   // board with the TCRT5000, at most †
sensor_eye = [10.2, 5.8]; // the TCRT5000 itself
button_d = 7;           // panel push-button, at most 16 mm deep
led_d = 5;
stopper_led_d = 3;
driver = [40, 30, 8];   // the light driver on its adapter board †

// --- the stopper ---------------------------------------------------------------------------------
wall = 1.0;
inside_d = 52;          // of the body; its boards and the cell decide
label_opening = 14;     // of the well in the foot; its depth is half of that
label_y = 14.8;         // beside the load cell
ring_h = 0.8;           // only a ring at the edge touches the table
ring_w = 3.6;
foot_h = 1.2;           // the plate of the foot
pedestal_h = 1.8;       // lifts the cell's free end off the foot
gap = 0.6;              // the body floats so high above the foot, and stops there when overloaded
spacer_h = 1.0;         // holds the cell's fixed end off the deck
deck_h = 1.6;
tape_h = 1.0;           // foam tape under the boards
cap_h = 1.0;
flange_h = 1.2;
flange_d = 33;
boss_r = 23;            // where three M2 screws join deck and cap
hatch = [9, 4.6];       // in the cap's wall: the battery's plug is pulled out here to be charged
slack = 0.2;            // between parts that are pushed together, on each side

// --- the seat's pad ------------------------------------------------------------------------------
pad_d = 66;
pad_h = 20;
console = [50, 26];     // carries button and light, behind the pad
shell = 1.6;            // walls and floors of everything but the stopper

// --- the light ring: four quarters around the board ----------------------------------------------
board_d = 290;          // the round that stays free inside: measure your board across
ring_in = 0.5;          // slack around the board
band_w = 23.5;
band_h = 9;
quarters = 4;           // 8 for a larger board: then set starts and cities below by turns
starts = true;
cities = true;
tongue = [8, 9, 4];     // joins two quarters
