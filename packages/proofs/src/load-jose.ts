/** Loads the library with the first proof, so that neither a start nor a command waits for it. */
export const loadJose = () => import('./jose-parts.ts');
