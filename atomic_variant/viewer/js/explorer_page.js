// What happens on a page of an opening explorer.

import { ExplorerPage } from "./control/explorerpage.js";

new ExplorerPage(document);
