import { findDamageQuickly } from './files/damage.ts';

/** A separate process, because the server must not wait until a large database is read. */
const [file = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(findDamageQuickly(file)));
