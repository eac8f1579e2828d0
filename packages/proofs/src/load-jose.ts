/** Loads the library when a signature is first verified, so that neither a start nor a command waits for it. */
export const loadJose = () => import('./jose-parts.ts');
