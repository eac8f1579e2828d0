import { type ResolveFnOutput, registerHooks } from 'node:module';

/** Where imports of our packages lead, by what the import says: that is the same in every file. */
const ours = new Map<string, ResolveFnOutput>();

/**
 * Finds our own files without asking the file system. For each import, Node.js looks at links, at every folder of the path and at
 * manifests, which takes a fourth of the time of loading what is compiled already.
 */
export function resolveQuickly(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      if (specifier.startsWith('.') && specifier.endsWith('.ts') && parentURL?.endsWith('.ts')) {
        return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
      }
      if (!specifier.startsWith('@watchword/')) return next(specifier, context);
      const known = ours.get(specifier) ?? next(specifier, context);
      ours.set(specifier, known);
      return { ...known, shortCircuit: true };
    },
  });
}
