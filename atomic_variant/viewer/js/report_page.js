// What happens on the page of a report.

import { GamesTable } from "./control/gamestable.js";

new GamesTable(document).follow();
