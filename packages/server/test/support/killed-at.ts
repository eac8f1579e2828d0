/**
 * Options for a process that ends, as by a power cut, before or after it does something.
 *
 * @param point a text of SQL, `before the rename` or `after the rename`
 */
export function killedAt(point: string) {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import sqlite from 'node:sqlite';
    const kill = () => process.kill(process.pid, 'SIGKILL');
    const at = (point, work) => { if (point === ${JSON.stringify(point)}) kill(); return work(); };
    const { exec } = sqlite.DatabaseSync.prototype;
    sqlite.DatabaseSync.prototype.exec = function (sql) { return at(sql, () => exec.call(this, sql)); };
    const { renameSync } = fs;
    fs.renameSync = (from, to) => {
      at('before the rename', () => renameSync(from, to));
      at('after the rename', () => {});
    };
    syncBuiltinESMExports();`;
  return { env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` } };
}
