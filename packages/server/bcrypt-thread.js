// Compares a password with a hash of bcrypt, in a thread: that takes JavaScript a large part of a second. Plain JavaScript, so that the
// thread loads nothing else.
import { parentPort, workerData } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

parentPort.postMessage(compareSync(workerData.password, workerData.hash));
