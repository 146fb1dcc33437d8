/** As much as is read of one import, files of a folder together. */
export const maxImportBytes = 48 * 1024 * 1024;
