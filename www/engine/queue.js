// Requests wait here for their turn: one slice of one task, then the messages that have arrived are let in. A task
// costs nothing before its first slice.

/**
 * @typedef {object} Task
 * @property {number} id
 * @property {string} method
 * @property {number} lane Tasks of a lower lane go first; within a lane the oldest does.
 * @property {number} model Id of the load whose model it is for; 0: whichever is there.
 * @property {() => boolean} isReady Whether what it needs has arrived.
 * @property {() => Generator<void, void, void>} run Does the work, a slice between two `yield`s; its `finally` frees what it holds.
 * @property {(error: unknown) => void} fail
 * @property {Generator<void, void, void>} [steps] Of a task that has begun.
 */

/** Runs tasks in slices, one at a time. */
export class TaskQueue {
  /** @type {Task[]} */
  #tasks = [];
  #running = false;

  /**
   * @param {() => Promise<void>} turn Resolves in a later task of the event loop.
   * @param {() => void} [onEnd] Called after a task has left the queue.
   */
  constructor(turn, onEnd = () => {}) {
    this.turn = turn;
    this.onEnd = onEnd;
  }

  /** Number of tasks that wait or run. */
  get size() {
    return this.#tasks.length;
  }

  /** Ids of those tasks. */
  get ids() {
    return this.#tasks.map(({ id }) => id);
  }

  /** @param {(task: Task) => boolean} test */
  some(test) {
    return this.#tasks.some(test);
  }

  /** @param {Task} task */
  add(task) {
    const before = this.#tasks.findIndex(({ lane }) => lane > task.lane);
    this.#tasks.splice(before < 0 ? this.#tasks.length : before, 0, task);
    this.wake();
  }

  /** Looks for a task that is ready; called when what tasks wait for has arrived. */
  wake() {
    if (!this.#running) this.#run();
  }

  /**
   * Takes tasks out of the queue and frees what they hold.
   * @param {(task: Task) => boolean} test
   */
  remove(test) {
    for (const task of this.#tasks.filter(test)) {
      task.steps?.return();
      this.#end(task);
    }
  }

  async #run() {
    this.#running = true;
    for (;;) {
      await this.turn();
      const task = this.#tasks.find((task) => task.steps || task.isReady());
      if (!task) break;
      try {
        task.steps ??= task.run();
        if (task.steps.next().done) this.#end(task);
      } catch (error) {
        this.#end(task);
        task.fail(error);
      }
    }
    this.#running = false;
  }

  /** @param {Task} task */
  #end(task) {
    const at = this.#tasks.indexOf(task);
    if (at < 0) return;
    this.#tasks.splice(at, 1);
    this.onEnd();
  }
}
