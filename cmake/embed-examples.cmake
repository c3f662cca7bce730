# Writes the table of examples as a C file: cmake -DSOURCE=folder -DOUTPUT=file -P embed-examples.cmake
file(GLOB models ${SOURCE}/*.yaml)
list(SORT models)
set(code "// Made from examples/*.yaml at build time.\n#include \"cli/examples.h\"\n\nconst StickExample stick_examples[] = {\n")
foreach(model ${models})
  get_filename_component(name ${model} NAME_WE)
  file(READ ${model} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
  # strings are cut into short pieces: C compilers limit the length of a literal
  string(REGEX REPLACE "((\\\\x[0-9a-f][0-9a-f])(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?)" "\"\\1\" " bytes "${bytes}")
  string(APPEND code "    {\"${name}\", ${bytes}},\n")
endforeach()
string(APPEND code "    {0, 0},\n};\n")
file(WRITE ${OUTPUT} "${code}")
