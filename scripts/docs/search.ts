/**
 * How much a result of the search counts: a reader looks for guides first, and seldom for decisions. It runs in the browser, where it
 * knows no other name of this file.
 *
 * @param id address of the page: `/guides/clients.html#a-heading`
 */
export function searchBoost(id: string): number {
  if (/\/(?:adr|architecture)\//.test(id)) return 0.2;
  if (/\/(?:project|run|packages|examples|recipes)\/|\/upgrading|\/performance/.test(id)) return 0.6;
  return /\/guides\/|\/quick-start/.test(id) ? 1.5 : 1;
}
