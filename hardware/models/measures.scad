// Every measure of the printable parts, in millimetres. Change a number here and render again;
// README.md says how. What is marked † was not taken from a data sheet: measure your own part.
// One "name = number;" or "name = [numbers];" a line: the tests read this file too.

// --- the barrel: measure yours -------------------------------------------------------------------
plug_d = 28.0;          // the fit ring that turns in the bore with a little drag
fit_from = 27.6;        // the fit rings: from, step, how many
fit_step = 0.2;
fit_count = 5;
barrel_d = 31;          // for the pictures, the box, and where thirteen stand †
barrel_h = 45;
barrel_wall = 1.2;      // †
plateau_d = 200;        // where the thirteen stand †
finger = 15;            // a fingertip between two barrels, from its nail to its pad †
hand_w = 95;            // a broad hand: of twenty men's one is broader

// --- the stopper ---------------------------------------------------------------------------------
// Heights count from the table. What hangs on the leaves: the foot. All else is the body.
body_d = 33;            // below the rim: a nail finds a lip of 1 mm around the barrel
rim_z = 7.5;            // here the barrel's edge stands
top_z = 18.0;           // of the cap: 10.5 mm in the bore
tube_w = 0.85;          // the wall around board and battery
ledge_d = 24.4;         // what the board lies on leaves this open
skirt_w = 0.8;
skirt_z = 1.0;          // the skirt ends so high, the foot inside of it
plate_h = 1.0;          // of the body's plate below the rim
oring_cord = 1.0;       // an O-ring of 26 x 1 mm
groove_depth = 0.75;
groove_w = 1.3;
groove_z = 8.4;         // its middle
cap_h = 0.7;
foam_h = 0.3;           // foam between battery and cap, squeezed; here the cell may swell

float_w = 0.5;          // between foot and body, sideways
play = 0.36;            // how far the foot can be pressed or pulled before it stops
feet_h = 0.8;           // only a ring at the foot's edge touches the table
feet_w = 1.2;
foot_h = 1.0;           // the foot's plate
label_opening = 12.4;   // of the well in the foot; its depth is half of that
label_y = 6.0;          // off the middle: beside the leaves, and the key of the box
label_wall = 0.6;
label_z = 0.3;          // the well's rim ends just above the table

leaf_t = 0.20;          // hard stainless
leaf_apart = 4.0;       // the spacers' height
gauge_at = 5.6;         // the gauge's grids: so far from the tongue's middle, to both sides
leaf_tongue = [14, 6];  // free length and width, bent by what stands on the foot
tongue_y = -4.6;        // its middle
clamp = [5.0, 6.2];     // of a leaf's end, along and across
clamp_r = 11.6;         // and nothing of it farther out
leaf_z = 2.4;           // the lower leaf
screw_at = [2.5, 1.0];  // a clamp's screw: so far behind the tongue's end, and off its middle
pin_at = [1.4, -1.5];   // and a piece of filament that keeps the stack straight
pin_d = 1.8;
keeper_h = [1.2, 2.0];  // below the fixed end, above the guided one
screw_d = 2.0;          // all screws M2, with thin heads
screw_head = [4.5, 0.6];
screw_core = 1.6;       // bored for a thread that cuts itself
catch_r = 11.6;         // three screws hold the foot with `play` both ways
catch_from = 35;        // degrees: the others at 145 and 270
post_d = 4.4;
sleeve = [3.0, 2.1];    // aluminium tube around a catch screw, where it goes through the foot
neck_z = 1.4;           // it ends here, on the screw's head: a cloth that the ring sinks into bears nothing
shoulder_z = 3.11;      // and here on the post; so high the foot stops when somebody leans on the barrel

board = [25.4, 0.8];    // across, thick
board_z = 9.7;          // its lower face
below_h = 2.0;          // the highest part below the board
radio = [13.2, 16.6, 2.4]; // ESP32-C3-MINI-1
radio_y = 2.55;         // its middle: the antenna ends at the rim
lipo = [22, 12.2, 4.0]; // 401220, 80 mAh, with its protection
lipo_y = -0.6;
header = [2.5, 5.08, 2.54]; // two pins, below the board, 2.54 mm apart
header_pin = [0.64, 8.54];  // across; how far it reaches below the board
header_at = [10, 1.27];     // to the right; to the left it is the same
window = [3.6, 6.2];    // in the foot, below a header
pocket = [3.6, 0.4];    // above which an LED says the name: across, and the floor that it leaves
pocket_at = [5.4, -10.2];

// --- the charging box ----------------------------------------------------------------------------
box_pitch = 37;         // from nest to nest
box_floor = 2.0;
box_wall = 2.0;
nest_d = 33.4;          // a nest's bore
nest_h = 6;             // how deep a stopper stands in it
peg_d = 12.0;           // enters the label's well; more play, and pins would miss
peg_h = 5.2;
pogo_d = 2.6;           // the bore for a spring pin
box_board = [113, 140, 1.6];
box_under = 10;         // below the deck: the board, and what is soldered to it
box_screws = [48, 48];  // where the board is screwed, and once in the middle
box_sockets = [-18, -36]; // along the right edge: power, data
box_plug = [13.4, 7.2]; // a USB-C plug with its grip, and how far its window reaches down
box_lamp = [-27, 2.4];  // between them: where a lamp shines out, from below the deck
box_foam = 7;           // in the lid, squeezed: it presses the barrels onto the spring pins

// --- what is bought: for the breadboard, the hub, the seats and the ring --------------------------------------------------------------------------
cell = [47, 12, 6];     // load cell TAL221, 100 g; all of it from two drawings by others
cell_hole_inset = 3.5;  // its holes: two at each end, so far from the end,
cell_hole_pitch = 6;    // and so far from each other, across
nut = [6.4, 2.4];       // M3: across its corners, and its height
xiao = [21, 17.8, 4.4]; // length and width from its maker; the height counts the USB socket †
converter = [25.5, 17.8, 4.6]; // board with the NAU7802 †
accelerometer = [20, 12, 3];   // board with the LIS2DW12, at most †
battery = [30, 12, 4.2];       // LiPo of 100 mAh, such as 401230, with room to swell inside †
sensor = [32, 14, 9];   // board with the TCRT5000, at most †
sensor_eye = [10.2, 5.8, 7]; // the TCRT5000 itself: along, across, high
receiver = [5.0, 6.95, 4.8]; // TSSP4038, on its back
button_d = 7;           // panel push-button, at most 16 mm deep
led_d = 5;
driver = [40, 30, 8];   // the light driver on its adapter board †

slack = 0.2;            // between parts that are pushed together, on each side
tape_h = 1.0;           // foam tape under the boards

// --- the seat's pad ------------------------------------------------------------------------------
pad_d = 66;
pad_h = 20;
eye_y = 13.5;           // off the middle, below the ring on which every barrel stands
eye_z = 2.0;            // so far below the pad's top it ends
seat_window = [26, 0.6];  // a disc of natural PLA or PETG: across, and how thick
receiver_z = 10;        // the receiver's lens: so far below the pad's top
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
