// What happens on a page of puzzles.

import { PuzzlePage } from "./control/puzzlepage.js";

new PuzzlePage(document).follow();
