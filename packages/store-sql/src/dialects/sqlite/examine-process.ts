import { findDamageQuickly } from './damage.ts';

/** A process of its own: reading a large database takes long, and the server must not wait for it. */
const [file = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(findDamageQuickly(file)));
