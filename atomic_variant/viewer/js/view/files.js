// Files made in the page, for whoever reads it to keep.

import { element } from "./elements.js";

export function saveFile(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
