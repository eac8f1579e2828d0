/** Of a process that something keeps from ending. With 1, node:test ends a process in which a test has failed. */
export const leftOpenCode = 2;
