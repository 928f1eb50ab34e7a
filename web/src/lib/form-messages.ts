// Loaded when a form has something to tell: the texts of all messages come with it.
export { fieldErrorsOf, fieldMessage } from '@portal/contracts';
