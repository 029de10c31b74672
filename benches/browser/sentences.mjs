// Sentences of the kind that the model of the page knows, written for this benchmark.

export const SENTENCES = [
  'A man in a blue shirt is standing on a ladder and cleaning a window.',
  'Two children are playing with a red ball in the park.',
  'I would like to know when the next train to Berlin leaves.',
  'She has been living in this small town for almost ten years.',
  'The old woman sells fresh bread and cheese at the market every morning.',
  'We went to the beach because the weather was so beautiful.',
  'A black dog is running through the snow with a stick in its mouth.',
  'Could you please tell me where I can find a good restaurant?',
  'My brother bought a new car last week, but he cannot drive it yet.',
  'Several people are sitting at a long table and eating dinner together.',
  'He opened the door, looked around the room and left without a word.',
  'The students are listening to their teacher, who is reading a story.',
  'If it rains tomorrow, we will stay at home and watch a film.',
  'A young girl with long hair is riding a brown horse along the river.',
  'There is nothing more important than good friends.',
  'The musicians on the stage are playing guitar for a large crowd.',
];
