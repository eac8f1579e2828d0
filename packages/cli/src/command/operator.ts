import { userInfo } from 'node:os';

/** The user who runs the command, for audit events: root also while it acts as another one. */
export const operator = nameOfUser();

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container can run as a user that its system does not know.
    return `user ${process.geteuid?.() ?? ''}`.trim();
  }
}
