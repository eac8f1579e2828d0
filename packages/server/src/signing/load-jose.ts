/** Loads the library when it is first needed, so that neither a start nor a command waits for it. */
export const loadJose = () => import('./jose-parts.ts');
