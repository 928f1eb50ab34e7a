import { parentPort } from 'node:worker_threads';
import { type Question, readQuestion } from './read-message.ts';

/** The thread that reads messages of providers, one after the other. */
parentPort?.on('message', (question: Question) => {
  parentPort?.postMessage(readQuestion(question));
});
