/**
 * Options for a process that ends, as by a power cut, before or after it does something.
 *
 * @param point a text of SQL, `before the rename`, `after the rename`, or `before rename 2` of several
 * @param hasLinks whether the file system has hard links. Default: yes
 */
export function killedAt(point: string, hasLinks = true) {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import sqlite from 'node:sqlite';
    const kill = () => process.kill(process.pid, 'SIGKILL');
    const at = (point, work) => { if (point === ${JSON.stringify(point)}) kill(); return work(); };
    const { exec } = sqlite.DatabaseSync.prototype;
    sqlite.DatabaseSync.prototype.exec = function (sql) { return at(sql, () => exec.call(this, sql)); };
    if (!${hasLinks}) fs.linkSync = () => { throw Object.assign(new Error('no links'), { code: 'EPERM' }); };
    const { renameSync } = fs;
    let renames = 0;
    fs.renameSync = (from, to) => {
      renames += 1;
      at('before rename ' + renames, () => {});
      at('before the rename', () => renameSync(from, to));
      at('after the rename', () => {});
    };
    syncBuiltinESMExports();`;
  return { env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` } };
}
