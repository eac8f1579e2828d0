import { clientSchema, submittedResourceServerSchema } from '@watchword/administration';

/** The records of a file. An unknown member is an error: a person writes the file, and its import is not repeated. */
export const strictResourceServerSchema = { ...submittedResourceServerSchema, ignoresUnknown: false };
export const strictClientSchema = { ...clientSchema, ignoresUnknown: false };
