"""Translates a text file with Spark, in order: each partition's lines go through one `translucent translate`.
usage: spark.py MODEL INPUT OUTPUT-FOLDER    (needs pyspark and `cargo install --path cli`)"""
import shutil
import sys
from pyspark.sql import SparkSession

model, source, output = sys.argv[1:]
spark = SparkSession.builder.appName("translucent").getOrCreate()
lines = spark.sparkContext.textFile(source)
# The whole path, as pipe gives its process no PATH; one thread, as Spark has a process for each core.
command = f"{shutil.which('translucent')} translate --model {model} --threads 1"
# checkCode: a process that fails fails the job.
lines.pipe(command, checkCode=True).saveAsTextFile(output)
spark.stop()
