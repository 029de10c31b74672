"""Translates a text file with Spark, in order: each partition's lines go through one `translucent translate`.
usage: spark.py MODEL INPUT OUTPUT-FOLDER    (needs pyspark and `cargo install --path cli`)"""
import sys
from pyspark.sql import SparkSession

model, source, output = sys.argv[1:]
spark = SparkSession.builder.appName("translucent").getOrCreate()
lines = spark.sparkContext.textFile(source)
# One thread for each process: Spark already has one process for each core. checkCode: a process that fails fails the job.
command = f"translucent translate --model {model} --threads 1"
lines.pipe(command, checkCode=True).saveAsTextFile(output)
spark.stop()
