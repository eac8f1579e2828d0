// Part of the bundled program (bundled-program.ts), as `dist/start.js`. Modules that the configuration names are sources,
// which must get the packages that are in the bundle from there.
import { existsSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../compile-cache', import.meta.url)));
registerHooks({
  resolve(specifier, context, next) {
    const bundled =
      specifier.startsWith('@watchword/') && new URL(`./${specifier.slice(11)}.js`, import.meta.url);
    if (bundled && existsSync(bundled)) return { url: bundled.href, shortCircuit: true };
    return next(specifier, { ...context, conditions: [...context.conditions, 'source'] });
  },
});

export const { main } = await import('./program.js');
