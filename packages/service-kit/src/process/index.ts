export { runProcess } from './run-process.ts';
export { runService } from './run-service.ts';
export { storageSettings } from './settings.ts';
export { openStorage, storageProblems } from './storage.ts';
