import { HTTPException } from 'hono/http-exception';
import { AccessError } from './index.ts';

export { protect } from './hono.ts';

// Hono has each class twice, and the CommonJS that this package is in Node.js inherits from the other one.
Object.setPrototypeOf(AccessError.prototype, HTTPException.prototype);
