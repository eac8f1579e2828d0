// For `node --conditions=source`, by which the packages of this checkout run from their sources: libraries of the SDK have such a
// condition too, and Node.js runs no TypeScript of others.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (!context.parentURL?.includes('/node_modules/')) return next(specifier, context);
    return next(specifier, {
      ...context,
      conditions: context.conditions.filter((name) => name !== 'source'),
    });
  },
});
